import type { PredictionAnswer } from '../../contract/answers.ts';
import type { Services } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { createQueueWorker, createWakeup, type Worker } from '../../lib/worker-loop.ts';
import { checklistOf } from '../issues/checklist.ts';
import { expectedOf } from '../record/keep.ts';
import type { Logger } from '../shared/log.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import type { Verdict } from '../store/verdicts.ts';

const AT_ONCE = 20;
const MINUTE = 60_000;
const LONGEST = 24 * 60 * MINUTE;
/** A prediction whose moment does not come is checked less and less often. */
const RAREST = 15 * MINUTE;
/** Samples come late. */
const GRACE = 5 * MINUTE;
/** A change of the same words this near is the same one. */
const SAME_CHANGE = 10 * MINUTE;

const OUTCOMES = ['came_true', 'did_not'] as const;

interface Options {
  store: Store;
  services: Services;
  clock: Clock;
  log: Logger;
}

/**
 * Checks what was changed since a verdict, which its timeline then has, and whether predictions come true, once the step was done, the change was seen to be taken back, or the alert
 * is over. One that does not is investigated again, without that cause.
 */
export function createPredictionWatch(options: Options): Worker {
  const { store, clock, log } = options;
  return createQueueWorker({
    round: async (signal) => {
      await checkPredictions(options, signal);
      return store.verdicts.untilCheck(clock.now());
    },
    wakeup: createWakeup(clock),
    onError: (error) => log.error({ err: error }, 'could not check predictions'),
  });
}

export async function checkPredictions(options: Options, signal: AbortSignal): Promise<void> {
  const { store, clock } = options;
  for (const verdict of await store.verdicts.toCheck(clock.now(), AT_ONCE)) {
    if (!signal.aborted) await check(verdict, options, signal);
  }
}

async function check(verdict: Verdict, options: Options, signal: AbortSignal): Promise<void> {
  const { store, services, clock, log } = options;
  const { issueId, version, at } = verdict;
  const now = clock.now();
  const issue = await store.issues.get(issueId);
  const expected = expectedOf(verdict);
  const isAbout = issue?.state === 'created' && issue.version === version && now - at < LONGEST;
  if (!isAbout || issue.uuid === null) return store.verdicts.checkLater(verdict, null);
  const isRecovery = expected?.after !== 'undo';
  const since = isRecovery ? issue.recoveredAt : await remediedAt(issue, store);
  const isClosed = issue.status === 'resolved' && now > issue.statusSince + GRACE;
  const seldom = now + Math.min(RAREST, Math.max(MINUTE, (now - at) / 10));
  try {
    const asked = { version, since: since === null ? undefined : new Date(since).toISOString() };
    const answer = await services.for(issue.organization).issues.prediction(issue.uuid, asked, signal);
    await keepChanges(verdict, answer.changes ?? [], store);
    if (expected === null) return await store.verdicts.checkLater(verdict, isClosed ? null : seldom);
    if (since === null && isRecovery) return await store.verdicts.checkLater(verdict, seldom);
    const outcome = OUTCOMES.find((one) => one === answer.outcome);
    if (outcome !== undefined)
      return await settle(verdict, { outcome, at: Date.parse(answer.at ?? '') || now }, store);
    const from = since ?? Date.parse(answer.since ?? '');
    if (Number.isNaN(from)) return await store.verdicts.checkLater(verdict, seldom);
    const isOver = now > from + expected.withinSeconds * 1000 + GRACE;
    await store.verdicts.checkLater(verdict, isOver ? null : now + MINUTE / 2);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ err: error, issue: issueId }, 'could not ask whether a prediction came true');
    await store.verdicts.checkLater(verdict, now + MINUTE);
  }
}

/** When the change was taken back, by the checklist: the last step of the first remedy before the one that confirms it. */
async function remediedAt({ id }: Issue, store: Store): Promise<number | null> {
  const results = await store.results.newest(id);
  if (results === null) return null;
  const [steps = []] = checklistOf(results, await store.checklistSteps.ofIssue(id));
  const required = steps.filter((step) => step.required);
  return (required.at(-2) ?? required.at(-1))?.done?.at ?? null;
}

/** What was changed since a verdict is an entry of its timeline: the thread, the write-up and the memory of it have it from there. */
function keepChanges(
  { issueId, version }: Verdict,
  changes: NonNullable<PredictionAnswer['changes']>,
  store: Store,
): Promise<void> {
  if (changes.length === 0) return Promise.resolve();
  return store.transaction(async (tx) => {
    const results = (await tx.results.get(issueId, version))?.results ?? null;
    const keptAt = await tx.results.at(issueId, version);
    if (results === null || keptAt === null) return;
    const timeline = [...(results.timeline ?? [])];
    const before = timeline.length;
    // When a version came is seen a little differently with each sample that comes after it.
    const isKnown = (change: { title: string; at: number }) =>
      timeline.some(
        ({ title, timestamp = '' }) =>
          title === change.title && Math.abs(Date.parse(timestamp) - change.at) < SAME_CHANGE,
      );
    for (const { at = '', title = '' } of changes)
      if (!isKnown({ title, at: Date.parse(at) })) timeline.push({ type: 'change', timestamp: at, title });
    if (timeline.length === before) return;
    await tx.results.save(issueId, version, JSON.stringify({ ...results, timeline }), keptAt);
    await tx.outbox.refreshCards(issueId);
  });
}

function settle(
  verdict: Verdict,
  found: { outcome: 'came_true' | 'did_not'; at: number },
  store: Store,
): Promise<void> {
  return store.transaction(async (tx) => {
    const { issueId } = verdict;
    if (!(await tx.verdicts.settle(verdict, found))) return;
    await tx.outbox.refreshCards(issueId);
    const issue = await tx.issues.get(issueId);
    // What is closed, or led by another issue, needs no other cause.
    const isOpen = issue?.isOpen === true && issue.status === 'ready_to_fix' && issue.symptomOf === null;
    if (found.outcome === 'did_not' && isOpen && issue.wantedStatus === null)
      await tx.issues.apply(issueId, transitions.wantStatus('investigating'));
  });
}
