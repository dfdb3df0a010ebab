import type { Budget } from '../../telemetry/budget.ts';
import { collect, distinctBy } from '../../telemetry/collect.ts';
import { expressionIn } from '../../telemetry/exported/alerted.ts';
import type { Points, Series, Service, Window } from '../../telemetry/model.ts';
import { joined, lowerBound } from '../../telemetry/samples.ts';
import type { TelemetrySource } from '../../telemetry/source.ts';
import { type Snapshot, viewOf } from '../../telemetry/view.ts';
import { survey } from '../anomalies.ts';
import type { Case, Means } from '../case.ts';
import { climbOf } from '../climb.ts';
import { hostsOf, workingIn } from '../machines.ts';
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
  const climbed = await withClimbs(snapshot, source, budget);
  return { ...c, sources: source.name.split('+'), view: viewOf(withMachines(climbed)) };
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

/**
 * Gives the CPU and memory of a machine to the one service that runs there too, as its own: with nothing beside it, it is
 * who uses them. Exporters call them shared, whatever runs there. Where it is not known of every service on which machines
 * it runs, as of the pods of a cluster, no machine is known to have one service alone.
 */
function withMachines(snapshot: Snapshot): Snapshot {
  const { services, series, recent, looked } = snapshot;
  const machines = new Set(series.filter(({ signal }) => signal.shared).map((one) => one.service));
  // Of what was not read, what runs there is not known either.
  if (machines.size === 0 || looked != null) return snapshot;
  const placed = workingIn(snapshot);
  if (placed.some(({ instances = [], workload }) => instances.length === 0 || workload !== null))
    return snapshot;
  const alone = new Map(
    services
      .filter(({ name }) => machines.has(name))
      .flatMap((machine) => {
        const hosts = hostsOf(machine);
        const [only, ...others] = placed.filter((one) => [...hostsOf(one)].some((host) => hosts.has(host)));
        return only === undefined || others.length > 0 ? [] : [[machine.name, only.name] as const];
      }),
  );
  const owned = (all: readonly Series[]) => all.flatMap((one) => ownedBy(alone, one, all));
  return { ...snapshot, series: owned(series), ...(recent && { recent: owned(recent) }) };
}

/** The series of a machine also as that of the service that has it to itself, unless that measures the same of itself. */
function ownedBy(alone: ReadonlyMap<string, string>, one: Series, all: readonly Series[]): Series[] {
  const service = alone.get(one.service);
  if (!one.signal.shared || service === undefined) return [one];
  const { measure } = one.signal;
  if (all.some((other) => other.service === service && other !== one && other.signal.measure === measure))
    return [one];
  const owned = { ...one, service, signal: { ...one.signal, shared: false } };
  return service === one.service ? [owned] : [one, owned];
}

/** A change may take this long to show, and a foot be this far from where coarse samples have it. */
const AROUND = 45 * MINUTE;
/** The samples of a climb that is read again. */
const SAMPLES = 200;
const MOST_READ = 3;

/**
 * With what filled up over longer than was read finely: its climb again, instance by instance, and the changes around where
 * that began.
 */
async function withClimbs(snapshot: Snapshot, source: TelemetrySource, budget: Budget): Promise<Snapshot> {
  const { window } = snapshot;
  const climbs = snapshot.series
    .flatMap((series) => climbOf(series) ?? [])
    .filter(({ foot }) => foot.at < window.from + AROUND)
    .slice(0, MOST_READ);
  if (climbs.length === 0) return snapshot;
  const before = { from: Math.min(...climbs.map(({ foot }) => foot.at)) - 2 * AROUND, to: window.from };
  const stepMs = Math.max(MINUTE, Math.ceil((before.to - before.from) / SAMPLES / MINUTE) * MINUTE);
  const [read, changes] = await Promise.all([
    source.series(
      {
        signals: [...new Set(climbs.map(({ series }) => series.signal.id))],
        services: [...new Set(climbs.map(({ series }) => series.service))],
        stepMs,
        byInstance: true,
      },
      before,
      budget,
    ),
    source.changes(before, budget),
  ]);
  const parts = read.known ? read.value : [];
  const again = (one: Series) => {
    if (!climbs.some(({ series }) => series === one)) return one;
    const own = parts.filter(({ signal, service }) => signal.id === one.signal.id && service === one.service);
    return own.length === 0 ? one : { ...one, points: withPart(one.points, highestOf(own), window.from) };
  };
  return {
    ...snapshot,
    series: snapshot.series.map(again),
    changes: changes.known
      ? distinctBy(
          [...changes.value, ...snapshot.changes],
          ({ at, service, title }) => `${at} ${service} ${title}`,
        )
      : snapshot.changes,
  };
}

/** At each moment the instance that has the most. */
function highestOf(instances: readonly Series[]): Points {
  const most = new Map<number, number>();
  for (const { points } of instances)
    points.times.forEach((at, i) => {
      most.set(at, Math.max(most.get(at) ?? Number.NEGATIVE_INFINITY, points.values[i] ?? 0));
    });
  const times = [...most.keys()].sort((a, b) => a - b);
  return { times: Float64Array.from(times), values: Float64Array.from(times, (at) => most.get(at) ?? 0) };
}

/** Samples with a part of them read again, up to a moment. */
function withPart(points: Points, part: Points, until: number): Points {
  const rest = lowerBound(points.times, until);
  return joined(joined(points, part), {
    times: points.times.slice(rest),
    values: points.values.slice(rest),
  });
}
