import { cameTooLate, notAllowed } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { opensInTime } from '../../listening/open-modal.ts';
import { postEphemeral } from '../../listening/tell.ts';
import { openDm } from '../../open-dm.ts';
import { newIssueView } from './new-issue-modal.ts';

/**
 * Opens the new-issue form outside of any channel (shortcut, Home); the card is sent as a direct message unless a
 * channel is chosen. Somebody without permission is told so in the modal, or in a direct message once the trigger has
 * expired.
 */
export async function openNewIssue(userId: string, triggerId: string, deps: ListenerDeps): Promise<void> {
  const refusal = await deps.people.refusal(userId);
  const view = refusal ? sentenceModal(notAllowed(refusal)) : await newIssueView(null, deps);
  if (await opensInTime(triggerId, view, deps)) return;
  const channel = await openDm(deps.client, userId);
  if (channel !== null) await postEphemeral(cameTooLate(), { channel, user: userId, threadTs: null }, deps);
}
