import { cameTooLate, notAllowed } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { opensInTime } from '../../listening/open-modal.ts';
import { postEphemeral } from '../../listening/tell.ts';
import { openDm } from '../../open-dm.ts';
import { newIssueView } from './new-issue-modal.ts';

/**
 * Opens the form of a new issue from no channel (the shortcut, Home): its card comes as a direct message unless one is
 * chosen. Who may not is told so in the modal; where it is too late for one, a direct message says so.
 */
export async function openNewIssue(userId: string, triggerId: string, deps: ListenerDeps): Promise<void> {
  const refusal = await deps.people.refusal(userId);
  const view = refusal ? sentenceModal(notAllowed(refusal)) : await newIssueView(null, deps);
  if (await opensInTime(triggerId, view, deps)) return;
  const channel = await openDm(deps.client, userId);
  if (channel !== null) await postEphemeral(cameTooLate(), { channel, user: userId, threadTs: null }, deps);
}
