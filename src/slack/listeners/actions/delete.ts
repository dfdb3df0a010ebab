import { mayBeShownIn } from '../../../filing/privacy.ts';
import { issueNumber } from '../../../lib/issue-number.ts';
import { onlyAdminsDelete } from '../../../render/issue-sentences.ts';
import { deletionView } from '../deletion.ts';
import type { ListenerDeps } from '../deps.ts';
import { openModal } from '../open-modal.ts';
import { tellPerson } from '../tell.ts';
import type { Pressed } from './pressed.ts';

/** *Delete…* in a card's menu, which asks first; for admins. */
export async function openDeletion(
  { issue, userId, channel, triggerId, respond }: Pressed,
  deps: ListenerDeps,
): Promise<void> {
  const { id: issueId, uuid, state } = issue;
  const number = issueNumber(issue);
  if (uuid === null || number === null || state !== 'created') return;
  if (!(await deps.people.isAdmin(userId))) return tellPerson(respond, onlyAdminsDelete(), deps);
  const mayTell = await mayBeShownIn(deps.store, issue.channel, channel);
  const left = await deps.store.erasure.leftInSlack(issue);
  const title = mayTell ? issue.title : null;
  const view = deletionView({ uuid, number, issueId, channel }, { title }, left);
  await openModal(triggerId, view, respond, deps);
}
