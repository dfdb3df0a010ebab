import type { Budget } from '../telemetry/budget.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { Means } from './case.ts';
import { acrossCopies, type InCopy, MOST_COPIES } from './copies.ts';
import { labelsOf } from './names.ts';
import { caseFor } from './pipeline.ts';
import { windowOf } from './steps/observe.ts';
import { verdict } from './steps/verdict.ts';
import type { Investigation, IssueToInvestigate } from './types.ts';

/**
 * Reads the telemetry around an issue's trigger, and looks for the cause.
 *
 * @param options.id a new identifier at each call
 * @param options.now milliseconds: a trigger in the future is treated as now
 */
export async function investigate(
  issue: IssueToInvestigate,
  source: TelemetrySource,
  { id, now, budget }: { id: () => string; now: number; budget: Budget },
): Promise<Investigation> {
  const one = async (means: Means) => {
    const { found, trace } = await caseFor(issue, means);
    return verdict(found, { source, id, trace });
  };
  const copies = await source.copies?.(labelsOf(issue), windowOf(issue, now), budget);
  const several = copies?.known && copies.value.length > 1 ? copies.value : [];
  if (several.length === 0) return one({ source, now, budget, copy: {} });
  const all: InCopy[] = [];
  for (const copy of several.slice(0, MOST_COPIES)) {
    // What was read of one copy is none of another's.
    const means = { source, now, budget: { ...budget }, copy: copy.labels };
    all.push({ copy, found: await one(means) });
  }
  return acrossCopies(all, several.slice(MOST_COPIES));
}
