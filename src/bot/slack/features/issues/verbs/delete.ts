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

/** A trigger expires after three seconds; if the service takes longer, the user is told so instead of asked. */
const LOOKUP_TIMEOUT_MS = 2_000;

/** `delete <n>`, for admins: opens the confirmation. */
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
  // The create call is still unanswered, and its answer would bring the issue back.
  if (ours?.uuid === null) return tellPerson(respond, notFiledYet(number), deps);
  const mayTell = ours === null || (await mayBeShownIn(deps.store, ours.channel, channel));
  const title = mayTell ? nameOf(found) || null : null;
  const left = ours === null ? null : await deps.store.erasure.leftInSlack(ours);
  const deletion = { uuid: detail.uuid, number, issueId: ours?.id ?? null, channel };
  const view = deletionView(deletion, { title }, left);
  await openModal(triggerId, view, respond, deps);
}
