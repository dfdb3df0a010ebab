import { displayName } from '../../../../lib/display-name.ts';
import { issueNumber } from '../../../../lib/issue-number.ts';
import { mayBeShownIn } from '../../../filing/privacy.ts';
import { onlyAdminsDelete } from '../../../render/issues/issue-sentences.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import type { IssueActionContext } from '../../listening/on-issue-action.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';
import { deletionView } from './deletion.ts';

/** *Delete…* in a card's menu, for admins: opens the confirmation. */
export async function openDeletion(
  { issue, userId, channel, triggerId, respond }: IssueActionContext,
  deps: ListenerDeps,
): Promise<void> {
  const { id: issueId, uuid, state } = issue;
  const number = issueNumber(issue);
  if (uuid === null || number === null || state !== 'created') return;
  if (!(await deps.people.isAdmin(userId))) return tellPerson(respond, onlyAdminsDelete(), deps);
  const mayTell = await mayBeShownIn(deps.store, issue.channel, channel);
  const left = await deps.store.erasure.leftInSlack(issue);
  const title = mayTell ? displayName(issue) : null;
  const view = deletionView({ uuid, number, issueId, channel }, { title }, left);
  await openModal(triggerId, view, respond, deps);
}
