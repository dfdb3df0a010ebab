import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { InvestigationResults } from '../../../../contract/answers.ts';
import { ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { decodeStored } from '../../../../lib/decode-stored.ts';
import { displayName } from '../../../../lib/display-name.ts';
import { issueNumber } from '../../../../lib/issue-number.ts';
import type { actionIds } from '../../../render/action-ids.ts';
import { issueUnknownHere, notAllowed, serviceFailure, windowIsStale } from '../../../render/notices.ts';
import { type ResultsPlace, resultsModal } from '../../../render/results/results-modal.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { graphKey } from '../../../store/intents/keys.ts';
import type { Issue } from '../../../store/issues.ts';
import { isPermittedInModal } from '../../access/issue-rights.ts';
import { classifySlackError } from '../../errors.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { readModalState } from '../../listening/modal-state.ts';
import { onModalNumber } from '../../listening/on-modal-number.ts';
import { fileFor } from '../../uploads/shown-file.ts';

const Place = z.object({ issueId: z.string(), version: z.number(), page: z.number(), channel: z.string() });
/** Slack's errors for a picture that it does not (or no longer) show in a modal. */
const BLOCKS_REFUSED = new Set(['invalid_arguments', 'invalid_blocks']);

/** A listener for the buttons and menus of *Everything*, which turn to another page. */
export function onResultsModal(
  name: keyof typeof actionIds,
  next: (place: ResultsPlace, chosen: number) => ResultsPlace,
): Register {
  return onModalNumber(name, async ({ view, chosen, userId }, deps) => {
    const update = (modal: ModalView) =>
      deps.client.views.update({ view_id: view.id, view: modal }).then(() => undefined, unlessClosed);
    const refusal = await deps.people.refusal(userId);
    if (refusal) return update(sentenceModal(notAllowed(refusal)));
    const remembered = readModalState(Place, view.private_metadata);
    if (remembered === null) return update(sentenceModal(windowIsStale()));
    const place = next(remembered, chosen);
    const issue = await deps.store.issues.get(place.issueId);
    const there = { userId, channel: place.channel };
    if (!issue || !(await isPermittedInModal('everything', issue, there, deps))) {
      return update(sentenceModal(issueUnknownHere()));
    }
    await showResults(issue, place, update, deps);
  });
}

/** Shows a page of results in a modal: with its picture, or as text if Slack refuses the picture. */
export async function showResults(
  issue: Issue,
  place: ResultsPlace,
  show: (modal: ModalView) => Promise<void>,
  deps: ListenerDeps,
): Promise<void> {
  const { version, page, channel } = place;
  const results = await resultsOf(issue, version, deps);
  if (typeof results === 'string') return show(sentenceModal(serviceFailure(results)));
  const picture = await fileFor(deps.store, graphKey(issue.id, version));
  const { id: issueId } = issue;
  const view = {
    issueId,
    number: issueNumber(issue) ?? 0,
    version,
    title: displayName(issue),
    results,
    simulated: deps.simulated,
  };
  const latest = Math.max(version, issue.endedVersion);
  const modal = (shown: typeof picture) =>
    resultsModal({ ...view, picture: shown }, { page, channel, latest });
  await show(modal(picture)).catch((error: unknown) => {
    const failure = classifySlackError(error);
    const refused = failure.kind === 'refused' && BLOCKS_REFUSED.has(failure.error);
    if (picture === null || !refused) throw error;
    return show(modal(null));
  });
}

/**
 * From the store if they are there and readable, else from the service (contract 4.6). `null` if there are none, a
 * sentence for the user if the service fails.
 */
async function resultsOf(
  issue: Issue,
  version: number,
  { store, services, clock, log }: ListenerDeps,
): Promise<InvestigationResults | null | string> {
  const body = await store.results.get(issue.id, version);
  const kept = body === null ? null : decodeStored(InvestigationResults, body);
  if (kept !== null) return kept;
  if (issue.uuid === null || issue.state !== 'created' || version > issue.endedVersion) return null;
  try {
    const results = await services.for(issue.organization).issues.results(issue.uuid, { version });
    await store.results.save(issue.id, version, JSON.stringify(results), clock.now());
    return results;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 404) return null;
    log.warn({ err: error, issue: issue.id, version }, 'could not fetch an older version of the results');
    return explainServiceError(error);
  }
}

// If the modal was closed meanwhile, there is nothing left to do.
function unlessClosed(error: unknown): void {
  const failure = classifySlackError(error);
  if (failure.kind !== 'refused' || !/^(?:not_found|view_not_found)$/u.test(failure.error)) throw error;
}
