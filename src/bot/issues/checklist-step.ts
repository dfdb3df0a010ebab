import { InvestigationResults } from '../../contract/answers.ts';
import type { Clock } from '../../lib/clock.ts';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { Moment } from '../../lib/moment.ts';
import { cutAtWord } from '../../lib/text.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { type ChecklistStep, checklistOf, nameOf } from './checklist.ts';

const MAX_NAME = 200;

/** A step as a button refers to it: the version of the results, and the step. */
export interface StepRef {
  issueId: string;
  version: number;
  key: string;
}

/** The step, with its state; `null` if those results have no such step. */
export async function findStep(
  { issueId, version, key }: StepRef,
  store: Pick<Aggregates, 'results' | 'checklistSteps'>,
): Promise<ChecklistStep | null> {
  const body = await store.results.get(issueId, version);
  const results = body === null ? null : decodeStored(InvestigationResults, body);
  if (results === null) return null;
  const steps = checklistOf(results, await store.checklistSteps.ofIssue(issueId)).flat();
  return steps.find((step) => step.key === key) ?? null;
}

/**
 * Ticks a step. Whoever ticked it first stays; repeating it changes nothing, nor does a tick that is older than its
 * removal.
 *
 * @returns false if there is no such step.
 */
export function completeStep(
  ref: StepRef,
  who: string,
  moment: Moment,
  { store, clock }: TickOptions,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const found = await findStep(ref, tx);
    if (found === null) return false;
    const at = clock.now();
    // Somebody has unticked or ticked it since.
    if ((await tx.acts.take({ ...moment, subject: subjectOf(ref), who, what: 'done' }, at)) !== null)
      return true;
    if (await tx.checklistSteps.add({ issueId: ref.issueId, step: ref.key, who, at })) {
      await tell(tx, ref.issueId, { at, who, what: `did the step “${shortName(found)}”` });
    }
    return true;
  });
}

/**
 * Removes the tick made `at`; a later one stays.
 *
 * @returns false if there is no such step.
 */
export function reopenStep(
  ref: StepRef & { at: number },
  who: string,
  moment: Moment,
  { store, clock }: TickOptions,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const found = await findStep(ref, tx);
    if (found === null) return false;
    const act = { ...moment, subject: subjectOf(ref), who, what: 'undone' };
    if ((await tx.acts.take(act, clock.now())) !== null) return true;
    if (await tx.checklistSteps.remove({ issueId: ref.issueId, step: ref.key, at: ref.at })) {
      const what = `unticked the step “${shortName(found)}”`;
      await tell(tx, ref.issueId, { at: clock.now(), who, what });
    }
    return true;
  });
}

function subjectOf({ issueId, key }: StepRef): string {
  return `step:${issueId}:${key}`;
}

interface TickOptions {
  store: Store;
  clock: Clock;
}

async function tell(
  tx: Aggregates,
  issueId: string,
  entry: { at: number; who: string; what: string },
): Promise<void> {
  await tx.audit.add({ ...entry, issueId });
  await tx.outbox.refreshCards(issueId);
}

function shortName({ step }: ChecklistStep): string {
  return cutAtWord(nameOf(step), MAX_NAME);
}
