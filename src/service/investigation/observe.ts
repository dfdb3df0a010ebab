import type { Budget } from '../telemetry/budget.ts';
import { collect } from '../telemetry/collect.ts';
import type { Service } from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import { type Snapshot, viewOf } from '../telemetry/view.ts';
import { affectedServices } from './incident.ts';
import { labelsOf } from './named-by-labels.ts';
import { namedService } from './named-service.ts';
import { survey } from './survey.ts';
import type { IssueToInvestigate } from './types.ts';

const MINUTE = 60_000;
/** Read at full resolution before the trigger: enough to see what was usual, and until when. */
const DENSE = 180 * MINUTE;
const STEP = MINUTE;
/** Logs and traces are read for at most this many services. */
const MOST_SERVICES = 12;

/**
 * Reads what an investigation needs, up to the trigger and no further.
 *
 * @param options.now milliseconds: a trigger in the future is treated as now
 */
export function observe(
  source: TelemetrySource,
  issue: IssueToInvestigate,
  { now, budget }: { now: number; budget: Budget },
): Promise<Snapshot> {
  const trigger = Math.min(issue.triggeredAt, now);
  return collect(
    source,
    {
      window: { from: trigger - DENSE, to: trigger + 1 },
      trigger,
      stepMs: STEP,
      pastMs: source.pastMs,
      alert: { name: issue.title, labels: labelsOf(issue) },
      interest: (metrics) => interestingServices(metrics, namedService(issue, metrics.services)),
    },
    budget,
  );
}

/** The service in question, its dependencies, and anything else degraded; all if there are few. */
export function interestingServices(metrics: Snapshot, named: string | null): string[] | null {
  if (metrics.services.length <= MOST_SERVICES) return null;
  const view = viewOf(metrics);
  // In order of degradation, since for large systems not all are read.
  const degraded = affectedServices(survey(view))
    .sort((a, b) => a.primary.onset - b.primary.onset)
    .map(({ service }) => service);
  const near = named === null ? [] : [named, ...(view.node(named)?.calls ?? [])];
  const known = (name: string) => metrics.services.some((service: Service) => service.name === name);
  const subject = near.slice(0, 1);
  return [...new Set([...subject, ...degraded, ...near])].filter(known).slice(0, MOST_SERVICES);
}
