import type { IssueNumber } from '../../../../../lib/issue-number.ts';
import { mayBeShownIn } from '../../../../filing/privacy.ts';
import {
  notFiledYet,
  onlyAdminsDelete,
  onlyInItsChannel,
} from '../../../../render/issues/issue-sentences.ts';
import { isPermitted } from '../../../access/issue-rights.ts';
import type { CommandCall } from '../../../commands/command.ts';
import type { ListenerDeps } from '../../../listening/deps.ts';
import { openModal } from '../../../listening/open-modal.ts';
import { tellPerson } from '../../../listening/tell.ts';
import { deletionView } from '../deletion.ts';
import { findIssue, nameOf } from './find.ts';

/** The trigger lives three seconds: a service that takes longer is said to be slow, and nothing is asked. */
const LOOKUP_TIMEOUT_MS = 2_000;

/** `delete <n>`, which asks first; for admins. */
export async function askToDelete(
  number: IssueNumber,
  asked: CommandCall,
  deps: ListenerDeps,
): Promise<void> {
  const { channel, respond, triggerId, userId } = asked;
  if (!(await deps.people.isAdmin(userId))) return tellPerson(respond, onlyAdminsDelete(), deps);
  const found = await findIssue(number, asked, deps, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
  if ('refused' in found) return tellPerson(respond, found.refused, deps);
  const { detail, ours } = found;
  if (ours !== null && !(await isPermitted('delete', ours, channel, deps))) {
    return tellPerson(respond, onlyInItsChannel(number), deps);
  }
  // The answer to its create call is still to come, and would bring it back here.
  if (ours?.uuid === null) return tellPerson(respond, notFiledYet(number), deps);
  const mayTell = ours === null || (await mayBeShownIn(deps.store, ours.channel, channel));
  const title = mayTell ? nameOf(found) || null : null;
  const left = ours === null ? null : await deps.store.erasure.leftInSlack(ours);
  const deletion = { uuid: detail.uuid, number, issueId: ours?.id ?? null, channel };
  const view = deletionView(deletion, { title }, left);
  await openModal(triggerId, view, respond, deps);
}
