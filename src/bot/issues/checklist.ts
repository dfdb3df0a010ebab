import { createHash } from 'node:crypto';
import type { InvestigationResults, RemediationAction, RemediationStep } from '../../contract/answers.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Moment } from '../shared/moment.ts';
import type { CompletedStep } from '../store/checklist-steps.ts';
import type { Aggregates, Store } from '../store/open.ts';

/** A step of an issue's remediation, and who has done it. */
interface ChecklistStep {
  /** A hash of the text of the action and the step: the same step in a newer version stays ticked. */
  key: string;
  action: RemediationAction;
  step: RemediationStep;
  required: boolean;
  /** `at` in milliseconds; `null` if nobody has. */
  done: { by: string; at: number } | null;
}

export function checklistOf(
  { remediation }: InvestigationResults,
  ticks: readonly CompletedStep[],
): ChecklistStep[][] {
  const made = new Map(ticks.map((tick) => [tick.step, { by: tick.who, at: tick.at }]));
  const seen = new Map<string, number>();
  return (remediation?.actions ?? []).map((action) =>
    (action.steps ?? []).map((step) => {
      const words = stepKeyText(action, step);
      // Two steps with the same text are still two.
      const nth = (seen.get(words) ?? 0) + 1;
      seen.set(words, nth);
      const key = createHash('sha256').update(`${words}\n${nth}`).digest('hex').slice(0, 16);
      return { key, action, step, required: step.required === true, done: made.get(key) ?? null };
    }),
  );
}

/** How much of the checklist is done; `null` if there is nothing to tick. */
export function progressOf(steps: readonly Pick<ChecklistStep, 'required' | 'done'>[]) {
  if (steps.length === 0) return null;
  const required = steps.filter((step) => step.required);
  const must = required.length > 0 ? required : steps;
  const made = steps.flatMap(({ done }) => (done === null ? [] : [done])).sort((a, b) => a.at - b.at);
  return {
    done: made.length,
    total: steps.length,
    requiredDone: required.filter(({ done }) => done !== null).length,
    required: required.length,
    // Every required step is done, or every step if none is marked as required.
    complete: must.every(({ done }) => done !== null),
    last: made.at(-1) ?? null,
  };
}

/** A step's name: its title, its label, or the beginning of its text. Untrusted. */
export function stepName({ title, label, content }: RemediationStep): string {
  const name = [title, label, content].find((text) => text !== undefined && text.trim() !== '');
  return (name ?? 'a step').replace(/\s+/gu, ' ').trim();
}

function stepKeyText(action: RemediationAction, step: RemediationStep): string {
  const words = [action.title, step.title, step.label, step.content];
  return JSON.stringify(words.map((text) => (text ?? '').replace(/\s+/gu, ' ').trim()));
}

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
): Promise<(ChecklistStep & { place: number }) | null> {
  const results = (await store.results.get(issueId, version))?.results ?? null;
  if (results === null) return null;
  const steps = checklistOf(results, await store.checklistSteps.ofIssue(issueId)).flat();
  const index = steps.findIndex((step) => step.key === key);
  const found = steps[index];
  return found === undefined ? null : { ...found, place: index + 1 };
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
      await record(tx, ref.issueId, { at, who, what: `did ${auditWords(ref, found)}` });
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
      await record(tx, ref.issueId, { at: clock.now(), who, what: `unticked ${auditWords(ref, found)}` });
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

async function record(
  tx: Aggregates,
  issueId: string,
  entry: { at: number; who: string; what: string },
): Promise<void> {
  await tx.audit.add({ ...entry, issueId });
  await tx.outbox.refreshCards(issueId);
}

/** For the audit, which outlives the issue and holds none of its text. */
function auditWords({ version }: StepRef, { place }: { place: number }): string {
  return `step ${place} of version ${version}`;
}
