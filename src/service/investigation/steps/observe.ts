import { collect } from '../../telemetry/collect.ts';
import { expressionIn } from '../../telemetry/exported/alerted.ts';
import type { Service, Window } from '../../telemetry/model.ts';
import { type Snapshot, viewOf } from '../../telemetry/view.ts';
import { survey } from '../anomalies.ts';
import type { Case, Means } from '../case.ts';
import { withMachines } from '../machines.ts';
import { labelsOf, namedService } from '../names.ts';
import { neighborhood } from '../neighborhood.ts';
import { affectedServices } from '../place/incident.ts';
import type { IssueToInvestigate } from '../types.ts';

const MINUTE = 60_000;

/** Read at full resolution before the trigger: enough to see what was usual, and until when. */
const DENSE = 180 * MINUTE;

const STEP = MINUTE;

const STATE_MS = 60 * MINUTE;

/** Logs and traces are read for at most this many services. */
const MOST_SERVICES = 12;

function momentOf({ moment, triggeredAt }: IssueToInvestigate, now: number): number {
  return Math.min(moment ?? triggeredAt, now);
}

/** What is read at full resolution; a trigger in the future is treated as now. */
export function windowOf(issue: IssueToInvestigate, now: number): Window {
  const trigger = momentOf(issue, now);
  return { from: trigger - DENSE, to: trigger + 1 };
}

/** Reads what an investigation needs, up to the trigger and no further. */
export async function observe(c: Case, { source, now, budget, copy }: Means): Promise<Case> {
  const { issue } = c;
  const trigger = momentOf(issue, now);
  const snapshot = await collect(
    source,
    {
      window: windowOf(issue, now),
      trigger,
      stepMs: STEP,
      pastMs: source.pastMs,
      // The state is as it is now, whatever it was then.
      state: now - trigger <= STATE_MS,
      alert: {
        name: issue.title,
        labels: { ...labelsOf(issue), ...copy },
        text: `${issue.title} ${issue.description}`,
        expression: expressionIn(`${String(issue.context.alertUrl ?? '')} ${issue.description}`),
      },
      near: (system) => neighborhood(system, [namedService(issue, system.services) ?? []].flat()),
      interest: (metrics) => interestingServices(metrics, namedService(issue, metrics.services)),
    },
    budget,
  );
  return { ...c, sources: source.name.split('+'), view: viewOf(withMachines(snapshot)) };
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
