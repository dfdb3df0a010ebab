import { z } from 'zod';
import {
  type StepRef,
  completeStep as tickStep,
  reopenStep as untickStep,
} from '../../../issues/checklist.ts';
import { stepUnknown } from '../../../render/results/checklist.ts';
import { type IssueActionContext, onIssueAction } from '../../listening/on-issue-action.ts';
import { tellPerson } from '../../listening/tell.ts';

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

/** *Done* on a checklist step. */
export const tick = onIssueAction('tick', async (context, deps) => {
  const ref = stepOf(context);
  await deps.checkpoint('tick: before store');
  const found = ref !== null && (await tickStep(ref, context.userId, context.moment, deps));
  await deps.checkpoint('tick: stored');
  if (!found) return tellPerson(context.respond, stepUnknown(), deps);
});

/** *Undo* on a checklist step: removes the tick that the user saw, but not a newer one. */
export const untick = onIssueAction('untick', async (context, deps) => {
  const ref = stepOf(context);
  await deps.checkpoint('untick: before store');
  const found = ref !== null && (await untickStep(ref, context.userId, context.moment, deps));
  await deps.checkpoint('untick: stored');
  if (!found) return tellPerson(context.respond, stepUnknown(), deps);
});
