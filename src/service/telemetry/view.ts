import type {
  AlertRule,
  Change,
  Edge,
  Exported,
  LogLine,
  Measure,
  Series,
  Service,
  Span,
  StateFinding,
  Window,
} from './model.ts';
import { lowerBound } from './samples.ts';

/** A service and its callees. */
export interface ServiceNode extends Service {
  calls: readonly string[];
}

export interface Point {
  at: number;
  value: number;
}

/** An indexed snapshot, for queries by the investigator and the agent. */
export interface View {
  readonly snapshot: Snapshot;
  readonly window: Window;
  readonly trigger: number;
  readonly gaps: readonly Gap[];
  services(): readonly ServiceNode[];
  node(service: string): ServiceNode | undefined;
  /** The series of a service as a whole, or of its instances if there is none. Without edges and reasons of failures. */
  series(service: string): readonly Series[];
  /** The first of them with that measure; for latency, the one closest to the 95th percentile. */
  seriesOf(service: string, measure: Measure): Series | undefined;
  /** Samples of a series, oldest first. */
  points(series: Series, window: Window): Point[];
  logs(service: string, window: Window): LogLine[];
  changes(window: Window): Change[];
  /** Whole traces that touch the service in the window, root first. */
  traces(service: string, window: Window): Span[];
}

/** Indexes a snapshot once; its results are not copied, and must not be modified. */
export function viewOf(snapshot: Snapshot): View {
  const callees = Map.groupBy(snapshot.edges, ({ caller }) => caller);
  const nodes = new Map(
    snapshot.services.map((service) => [
      service.name,
      { ...service, calls: [...new Set(callees.get(service.name)?.map(({ callee }) => callee))] },
    ]),
  );
  const byService = Map.groupBy(
    snapshot.series.filter(({ edge, signal }) => edge === null && signal.measure !== 'reasons'),
    ({ service }) => service,
  );
  const whole = new Map([...byService].map(([service, all]) => [service, wholeFirst(all)]));
  const lines = Map.groupBy(snapshot.logs, ({ service }) => service);
  const traces = Map.groupBy(snapshot.spans, ({ traceId }) => traceId);
  const series = (service: string) => whole.get(service) ?? [];
  return {
    snapshot,
    window: snapshot.window,
    trigger: snapshot.trigger,
    gaps: snapshot.gaps,
    services: () => [...nodes.values()],
    node: (service) => nodes.get(service),
    series,
    seriesOf: (service, measure) => {
      const fitting = series(service).filter(({ signal }) => signal.measure === measure);
      return fitting.sort((a, b) => fitness(b) - fitness(a))[0];
    },
    points: pointsIn,
    logs: (service, window) => (lines.get(service) ?? []).filter(within(window)),
    changes: (window) => snapshot.changes.filter(within(window)),
    traces: (service, window) =>
      [...traces.values()]
        .filter((spans) => spans.some((span) => span.service === service))
        .filter((spans) => spans.some(within(window)))
        .flat(),
  };
}

/** Samples of a series in a window, oldest first. */
export function pointsIn({ points: { times, values } }: Pick<Series, 'points'>, window: Window): Point[] {
  const found: Point[] = [];
  for (let i = lowerBound(times, window.from); i < times.length; i++) {
    const at = times[i] ?? 0;
    if (at >= window.to) break;
    found.push({ at, value: values[i] ?? 0 });
  }
  return found;
}

function within({ from, to }: Window): (item: { at: number }) => boolean {
  return ({ at }) => at >= from && at < to;
}

function wholeFirst(all: readonly Series[]): Series[] {
  const whole = all.filter(({ instance }) => instance === null);
  const covered = new Set(whole.map(({ signal }) => signal.name));
  return [...whole, ...all.filter(({ instance, signal }) => instance !== null && !covered.has(signal.name))];
}

/** What a service measures of itself fits best. */
function fitness({ signal, instance, edge }: Series): number {
  const quantile = typeof signal.quantile === 'number' ? 1 - Math.abs(signal.quantile - 0.95) : 0.5;
  return (
    (edge === null ? 20 : 0) + (instance === null ? 10 : 0) + (signal.measure === 'latency' ? quantile : 0)
  );
}

/**
 * All data read for one investigation. The analysis is synchronous and pure: the same snapshot gives the same findings.
 */
export interface Snapshot {
  /**
   * The part read at full resolution: from some hours before the trigger to the trigger, or shortly after it if that is
   * in the past.
   */
  window: Window;
  /** When the alert was triggered. Nothing after the end of the window was read. */
  trigger: number;
  /** How far before the window the past of the series was requested, in milliseconds; 0 or undefined for not at all. */
  pastMs?: number;
  services: readonly Service[];
  edges: readonly Edge[];
  /** Over the window, and before it as far back as requested: the past of each series. */
  series: readonly Series[];
  /**
   * The last part of the window again, as finely as the source samples: what is true now, and since when. Empty if the
   * source's series are as fine already.
   */
  recent?: readonly Series[];
  /** Errors and latency per instance, over the last part of the window. */
  instances: readonly Series[];
  logs: readonly LogLine[];
  spans: readonly Span[];
  /** Oldest first. */
  changes: readonly Change[];
  /** The alert's rule, and the results of its expression. */
  rule: { rule: AlertRule; series: readonly Series[] } | null;
  /** What is wrong with the system's own state, read for a trigger of the last hour; the most likely cause first. */
  state?: readonly StateFinding[];
  /** What targets export, as it was read for the state. */
  exported?: readonly Exported[];
  /** Of a system too large to be read whole: what was read of it; `null` or undefined if all of it was. */
  looked?: Looked | null;
  gaps: readonly Gap[];
}

/** Which services of a large system were read. */
export interface Looked {
  services: readonly string[];
  /** So many there are. */
  of: number;
}

/** Something unknown, and why. */
export interface Gap {
  source: string;
  /** `metrics`, `logs`, `traces`, `changes`, `services`, `dependencies`. */
  what: string;
  /** A sentence. */
  reason: string;
}
