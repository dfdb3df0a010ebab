import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { displayName } from '../../../../lib/text.ts';
import type { Deps } from '../../../deps.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import type { ChangeRequest } from '../../../issues/change-status.ts';
import { type Doomed, deleteIssue as deleteForGood } from '../../../issues/delete.ts';
import { askToDelete as askToDeleteModal, deletionOutcome } from '../../../render/issues/delete-issue.ts';
import {
  type NamedIssue,
  notFiledYet,
  onlyAdminsDelete,
  onlyInItsChannel,
} from '../../../render/issues/issue-sentences.ts';
import { notAllowed, windowIsStale } from '../../../render/notices.ts';
import { type IssueNumber, issueNumber, StoredIssueNumber } from '../../../shared/issue-number.ts';
import type { LeftInSlack } from '../../../store/erasure.ts';
import { isPermitted, isPermittedInModal } from '../../access/rights.ts';
import type { CommandCall } from '../../commands/command.ts';
import type { Register } from '../../listening/feature.ts';
import type { IssueActionContext } from '../../listening/issue-actions.ts';
import { openModal, readModalState } from '../../listening/modals.ts';
import { notifyPerson } from '../../listening/notify.ts';
import { onSubmit } from '../../listening/press.ts';
import { findIssue, issueTitle } from './find.ts';

/** The state of the deletion's confirmation; `channel` is where it was requested. */
const Deletion = z.object({
  uuid: z.string(),
  number: StoredIssueNumber,
  issueId: z.string().nullable(),
  channel: z.string(),
});

function deletionView(
  deletion: z.infer<typeof Deletion>,
  { title }: Pick<NamedIssue, 'title'>,
  left: LeftInSlack | null,
): ModalView {
  return askToDeleteModal({ number: deletion.number, title }, JSON.stringify(deletion), left);
}

/** A trigger expires after three seconds; if the service takes longer, the user is told so instead of asked. */
const LOOKUP_TIMEOUT_MS = 2_000;

/** `delete <n>`, for admins: opens the confirmation. */
export async function askToDelete(number: IssueNumber, asked: CommandCall, deps: Deps): Promise<void> {
  const { channel, respond, triggerId, userId } = asked;
  if (!(await deps.people.isAdmin(userId))) return notifyPerson(respond, onlyAdminsDelete(), deps);
  const found = await findIssue(number, asked, deps, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
  if ('refused' in found) return notifyPerson(respond, found.refused, deps);
  const { detail, ours } = found;
  if (ours !== null && !(await isPermitted('delete', ours, channel, deps))) {
    return notifyPerson(respond, onlyInItsChannel(number), deps);
  }
  // The create call is still unanswered, and its answer would bring the issue back.
  if (ours?.uuid === null) return notifyPerson(respond, notFiledYet(number), deps);
  const mayName = ours === null || (await deps.mayRead({ channel }, ours));
  const title = mayName ? issueTitle(found) || null : null;
  const left = ours === null ? null : await deps.store.erasure.leftInSlack(ours);
  const deletion = { uuid: detail.uuid, number, issueId: ours?.id ?? null, channel };
  const view = deletionView(deletion, { title }, left);
  await openModal(triggerId, view, respond, deps);
}

/** *Delete…* in a card's menu, for admins: opens the confirmation. */
export async function openDeletion(
  { issue, userId, channel, triggerId, respond }: IssueActionContext,
  deps: Deps,
): Promise<void> {
  const { id: issueId, uuid, state } = issue;
  const number = issueNumber(issue);
  if (uuid === null || number === null || state !== 'created') return;
  if (!(await deps.people.isAdmin(userId))) return notifyPerson(respond, onlyAdminsDelete(), deps);
  const mayName = await deps.mayRead({ channel }, issue);
  const left = await deps.store.erasure.leftInSlack(issue);
  const title = mayName ? displayName(issue) : null;
  const view = deletionView({ uuid, number, issueId, channel }, { title }, left);
  await openModal(triggerId, view, respond, deps);
}

/** *Delete* is confirmed. The service may take longer than Slack waits, so the modal shows progress meanwhile. */
export const deleteIssue: Register = onSubmit(
  'deleteIssue',
  {
    read: (state) => readModalState(Deletion, state),
    may: async (userId, _about, { people }) => {
      const refusal = await people.refusal(userId);
      if (refusal) return notAllowed(refusal);
      return (await people.isAdmin(userId)) ? null : onlyAdminsDelete();
    },
  },
  async ({ about, userId, viewId, show }, deps) => {
    // The store knows which issue it is; the modal's state is not trusted.
    const ours = await deps.store.issues.byUuid(about.uuid);
    if (about.issueId !== null && about.issueId !== ours?.id) return { sentence: windowIsStale() };
    const doomed = { ...about, issueId: ours?.id ?? null };
    const there = { person: userId, channel: doomed.channel };
    // Its channel may have been made private meanwhile, or the user may have left it.
    if (ours !== null && !(await isPermittedInModal('delete', ours, there, deps))) {
      return { sentence: onlyInItsChannel(doomed.number) };
    }
    await show(deletionOutcome(doomed.number, 'under_way'));
    const outcome = await attempt(doomed, { who: userId, cause: issueIdOf('deletion', viewId) }, deps);
    await showIn(viewId, deletionOutcome(doomed.number, outcome), deps);
    return undefined;
  },
);

async function attempt(
  doomed: Doomed,
  wish: ChangeRequest,
  deps: Deps,
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
async function showIn(viewId: string, view: ModalView, { client, log }: Deps): Promise<void> {
  try {
    await client.views.update({ view_id: viewId, view });
  } catch (error) {
    log.info({ err: error }, 'could not show the outcome of a deletion');
  }
}
