import type { ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import type { ChangeRequest } from '../../../issues/change-status.ts';
import { type Doomed, deleteIssue as deleteForGood } from '../../../issues/delete.ts';
import { deletionOutcome } from '../../../render/issues/delete-issue.ts';
import { onlyAdminsDelete, onlyInItsChannel } from '../../../render/issues/issue-sentences.ts';
import { notAllowed, windowIsStale } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { isPermittedInModal } from '../../access/issue-rights.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { readModalState } from '../../listening/modal-state.ts';
import { Deletion } from './deletion.ts';

/** *Delete* is confirmed. The service may take longer than Slack waits, so the modal shows progress meanwhile. */
export const deleteIssue: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.deleteIssue },
    async ({ ack, body, view }) => {
      const refusal = await deps.people.refusal(body.user.id);
      const mayNot = refusal ? notAllowed(refusal) : onlyAdminsDelete();
      if (refusal || !(await deps.people.isAdmin(body.user.id))) {
        return ack({ response_action: 'update', view: sentenceModal(mayNot) });
      }
      const remembered = readModalState(Deletion, view.private_metadata);
      // The store knows which issue it is; the modal's state is not trusted.
      const ours = remembered === null ? null : await deps.store.issues.byUuid(remembered.uuid);
      if (remembered === null || (remembered.issueId !== null && remembered.issueId !== ours?.id)) {
        return ack({ response_action: 'update', view: sentenceModal(windowIsStale()) });
      }
      const doomed = { ...remembered, issueId: ours?.id ?? null };
      const there = { userId: body.user.id, channel: doomed.channel };
      // Its channel may have been made private meanwhile, or the user may have left it.
      if (ours !== null && !(await isPermittedInModal('delete', ours, there, deps))) {
        return ack({ response_action: 'update', view: sentenceModal(onlyInItsChannel(doomed.number)) });
      }
      await ack({ response_action: 'update', view: deletionOutcome(doomed.number, 'under_way') });
      const cause = issueIdOf('deletion', view.id);
      const outcome = await attempt(doomed, { who: body.user.id, cause }, deps);
      await showIn(view.id, deletionOutcome(doomed.number, outcome), deps);
    },
  );
};

async function attempt(
  doomed: Doomed,
  wish: ChangeRequest,
  deps: ListenerDeps,
): Promise<Parameters<typeof deletionOutcome>[1]> {
  try {
    return await deleteForGood(doomed, wish, deps);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    deps.log.warn({ err: error, number: doomed.number }, 'could not delete an issue');
    return { failed: explainServiceError(error) };
  }
}

/** Best effort: the modal may be closed by now, and the issue's card shows the outcome. */
async function showIn(viewId: string, view: ModalView, { client, log }: ListenerDeps): Promise<void> {
  try {
    await client.views.update({ view_id: viewId, view });
  } catch (error) {
    log.info({ err: error }, 'could not show the outcome of a deletion');
  }
}
