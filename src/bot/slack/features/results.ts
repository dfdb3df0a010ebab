import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { InvestigationResults, RemediationAction } from '../../../contract/answers.ts';
import { ServiceError } from '../../../contract/client/errors.ts';
import { explainServiceError } from '../../../contract/client/explain-error.ts';
import { displayName } from '../../../lib/text.ts';
import type { Deps } from '../../deps.ts';
import { type StepRef, completeStep as tickStep, reopenStep as untickStep } from '../../issues/checklist.ts';
import { actionIds } from '../../render/action-ids.ts';
import { sentenceModal } from '../../render/modal.ts';
import { issueUnknownHere, notAllowed, serviceFailure, windowIsStale } from '../../render/notices.ts';
import { stepUnknown } from '../../render/results/checklist.ts';
import { promptModal, type ResultsPlace, resultsModal } from '../../render/results/results-modal.ts';
import { issueNumber } from '../../shared/issue-number.ts';
import { questionOwner } from '../../store/artifacts.ts';
import type { Issue } from '../../store/issues.ts';
import { isPermittedInModal } from '../access/rights.ts';
import { classifySlackError } from '../errors.ts';
import type { Feature, Register } from '../listening/feature.ts';
import { type IssueActionContext, onIssueAction } from '../listening/issue-actions.ts';
import { onModalNumber, openModal, readModalState } from '../listening/modals.ts';
import { notifyPerson } from '../listening/notify.ts';
import { onButton } from '../listening/press.ts';
import { openEvidence } from './evidence.ts';

const Place = z.object({ issueId: z.string(), version: z.number(), page: z.number(), channel: z.string() });

/** A listener for the buttons and menus of *Everything*, which turn to another page. */
function onResultsModal(
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
    const there = { person: userId, channel: place.channel };
    if (!issue || !(await isPermittedInModal('everything', issue, there, deps))) {
      return update(sentenceModal(issueUnknownHere()));
    }
    await showResults(issue, place, update, deps);
  });
}

async function showResults(
  issue: Issue,
  place: ResultsPlace,
  show: (modal: ModalView) => Promise<void>,
  deps: Deps,
): Promise<void> {
  const { version, page, channel } = place;
  const results = await resultsOf(issue, version, deps);
  if (typeof results === 'string') return show(sentenceModal(serviceFailure(results)));
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
  await show(resultsModal(view, { page, channel, latest }));
}

/**
 * From the store if they are there and readable, else from the service (contract 4.6). `null` if there are none, a
 * sentence for the user if the service fails.
 */
async function resultsOf(
  issue: Issue,
  version: number,
  { store, services, clock, log }: Deps,
): Promise<InvestigationResults | null | string> {
  const kept = (await store.results.get(issue.id, version))?.results ?? null;
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

const wholeResults = onIssueAction('everything', async (context, deps) => {
  const { issue, channel, triggerId, respond } = context;
  const version = Number(context.choice ?? issue.endedVersion);
  if (!Number.isSafeInteger(version)) return;
  const place = { issueId: issue.id, version, page: 0, channel };
  await showResults(issue, place, (modal) => openModal(triggerId, modal, respond, deps), deps);
});

/** *Previous* and *Next* in *Everything*; the value is the page. */
const turning = (name: 'resultsBack' | 'resultsOn') =>
  onResultsModal(name, (place, page) => ({ ...place, page }));

const resultsBack = turning('resultsBack');
const resultsOn = turning('resultsOn');

const showVersion = onResultsModal('showVersion', (place, version) => ({
  ...place,
  version,
  page: 0,
}));

const Choice = z
  .string()
  .regex(/^\d{1,9}\.[0-9a-f]{1,64}(?:\.\d{1,16})?$/)
  .transform((text) => text.split('.'))
  .transform(([version, key = '', at]) => ({ version: Number(version), key, at: Number(at ?? 0) }));

/** A button's step (`<version>.<key>`) and tick; `null` if the value is not valid. */
export function stepOf({
  issue,
  choice,
}: Pick<IssueActionContext, 'issue' | 'choice'>): (StepRef & { at: number }) | null {
  const { success, data } = Choice.safeParse(choice);
  return success ? { issueId: issue.id, ...data } : null;
}

const tick = onIssueAction('tick', async (context, deps) => {
  const ref = stepOf(context);
  await deps.checkpoint('tick: before store');
  const found = ref !== null && (await tickStep(ref, context.userId, context.moment, deps));
  await deps.checkpoint('tick: stored');
  if (!found) return notifyPerson(context.respond, stepUnknown(), deps);
});

/** *Undo* on a checklist step: removes the tick that the user saw, but not a newer one. */
const untick = onIssueAction('untick', async (context, deps) => {
  const ref = stepOf(context);
  await deps.checkpoint('untick: before store');
  const found = ref !== null && (await untickStep(ref, context.userId, context.moment, deps));
  await deps.checkpoint('untick: stored');
  if (!found) return notifyPerson(context.respond, stepUnknown(), deps);
});

/** *Copy prompt*: shows an action's whole prompt in a modal, to be pasted into another agent. */
const copyPrompt = onIssueAction('copyPrompt', async (context, deps) => {
  const { issue, respond, triggerId } = context;
  const action = await actionOf(context, deps);
  const prompt = action?.markdownPrompt?.trim() ?? '';
  if (prompt === '') return notifyPerson(respond, stepUnknown(), deps);
  const view = { number: issueNumber(issue), action: action?.title ?? '', prompt };
  await openModal(triggerId, promptModal(view), respond, deps);
});

/** A button's value is `<version>.<index of the action>`. */
async function actionOf(
  { issue, choice }: IssueActionContext,
  { store }: Deps,
): Promise<RemediationAction | null> {
  const [, version, index] = /^(\d{1,9})\.(\d{1,4})$/u.exec(choice ?? '') ?? [];
  const stored = version === undefined ? null : await store.results.get(issue.id, Number(version));
  return stored?.results?.remediation?.actions?.[Number(index)] ?? null;
}

const VALUE = /^(?<index>\d{1,4}):(?<questionId>.+)$/u;

/** A button under an answer: opens what the agent found in the evidence modal. */
const artifact = onButton(
  'artifact',
  async ({ value, channel, triggerId, respond }, deps) => {
    const { index, questionId } = VALUE.exec(value)?.groups ?? {};
    if (index === undefined || questionId === undefined || channel === '') return;
    const place = { owner: questionOwner(questionId), version: 0, index: Number(index), channel };
    await openEvidence(place, triggerId, respond, deps);
  },
  { actionId: new RegExp(`^${actionIds.artifact}(?::\\d+)?$`, 'u') },
);

export const results: Feature = {
  actions: {
    artifact,
    copyPrompt,
    everything: wholeResults,
    resultsBack,
    resultsOn,
    showVersion,
    tick,
    untick,
  },
};
