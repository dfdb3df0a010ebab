import type { Edge, Series } from '../../telemetry/model.ts';
import type { Aspect, Deviation } from './types.ts';

export interface CallGraph {
  callees(service: string): readonly string[];
  /** How many calls away each dependency of a service is, itself included with 0. */
  reachableFrom(service: string): ReadonlyMap<string, number>;
  /** Whether any call from or to it is known. */
  knows(service: string): boolean;
}

export function callGraph(edges: readonly Edge[]): CallGraph {
  const callees = new Map<string, Set<string>>();
  for (const { caller, callee } of edges) {
    if (caller === callee) continue;
    const known = callees.get(caller) ?? new Set();
    callees.set(caller, known.add(callee));
  }
  const below = (service: string) => [...(callees.get(service) ?? [])];
  const known = new Set(edges.flatMap(({ caller, callee }) => [caller, callee]));
  return {
    callees: below,
    knows: (service) => known.has(service),
    reachableFrom: (service) => {
      const reached = new Map([[service, 0]]);
      for (const [name, distance] of reached) {
        for (const callee of below(name)) if (!reached.has(callee)) reached.set(callee, distance + 1);
      }
      return reached;
    },
  };
}

/** What moved at a service, in one aspect, according to its own series. */
export interface Moved {
  service: string;
  aspect: Aspect;
  /** Represents the aspect if several series measure it. */
  deviation: Deviation;
  /** The share of it not explained by callees, 0 to 1. */
  own: number;
}

/** The calls of one service to another, as measured by the caller. */
export interface Call {
  edge: Edge;
  deviation: Deviation;
  unusual: boolean;
}

interface Seen {
  moved: readonly Moved[];
  calls: readonly Call[];
  graph: CallGraph;
  /** Services with series of their own. */
  reporting: ReadonlySet<string>;
}

/** A callee that explains this share of an increase is its origin. */
const EXPLAINED = 0.3;
/** An exhausted or missing dependency explains this share of its dependents' problem, however far up. */
const EXHAUSTION_ACCOUNTS = 0.8;
/** A callee this many times slower makes its callers time out, although it does not fail itself. */
const TIMES_OUT = 3;
const TIMEOUT_ACCOUNTS = 0.5;
/** The caller's part in a slow call; less if the callee reports nothing, and so cannot clear itself. */
const CALLER = 0.9;
const CALLER_OF_SILENT = 0.5;
/** Samples of two series may be this far apart, in milliseconds. */
const SLACK = 120_000;
/** The minimum left: it may have a part in it. */
const LEAST_LEFT = 0.1;

/** Subtracts from each movement what its callees explain, and attributes slow calls to both of their ends. */
export function shareBlame(seen: Seen): Moved[] {
  return [...seen.moved.map((one) => ({ ...one, own: ownShare(one, seen) })), ...slowCalls(seen)];
}

/** Whether it is a share of requests, in which failures count individually. */
export function isShare({ signal }: Series): boolean {
  return signal.measure === 'errors' || signal.measure === 'success';
}

/** The rest of an increase after subtracting what callees add. */
function ownShare(one: Moved, seen: Seen): number {
  if (one.aspect !== 'latency' && one.aspect !== 'errors') return 1;
  const increase = increaseOf(one.deviation);
  if (increase === 0) return 1;
  const below = new Set(seen.graph.callees(one.service));
  const accounted = seen.moved
    .filter(({ service }) => below.has(service))
    .map((callee) => accountOf(callee, one.aspect, increase));
  const waited = seen.calls
    .filter(({ edge, unusual }) => unusual && edge.caller === one.service)
    .filter(({ deviation: { series } }) => isShare(series) === isShare(one.deviation.series))
    .map(({ deviation }) => increaseOf(deviation) / increase);
  const exhausted = dependsOnExhausted(one.service, one.deviation.onset, seen) ? EXHAUSTION_ACCOUNTS : 0;
  const own = leftOf(Math.min(1, Math.max(exhausted, ...accounted, ...waited)));
  if (!isShare(one.deviation.series)) return own;
  // Failures thin out on their way up, as other requests succeed: the highest rate is nearest to the cause.
  const largest = Math.max(
    ...seen.moved
      .filter(({ deviation: { series } }) => isShare(series))
      .map(({ deviation }) => increaseOf(deviation)),
  );
  return (own * increase) / largest;
}

/**
 * A slow call is attributed to both ends, unless the callee itself is slow; the end with more slow calls gets the
 * larger share.
 */
function slowCalls(seen: Seen): Moved[] {
  const { calls, moved, reporting } = seen;
  const share = (service: string) => {
    const touching = calls.filter(({ edge }) => edge.caller === service || edge.callee === service);
    return touching.filter(({ unusual }) => unusual).length / Math.max(1, touching.length);
  };
  return calls
    .filter(({ unusual }) => unusual)
    .flatMap(({ edge: { caller, callee }, deviation }): Moved[] => {
      const aspect = isShare(deviation.series) ? 'errors' : 'latency';
      const ofCallee = moved.filter(({ service }) => service === callee);
      const accounted = ofCallee
        .filter((one) => one.aspect === aspect)
        .map((one) => increaseOf(one.deviation) / increaseOf(deviation));
      const left = leftOf(Math.min(1, Math.max(0, ...accounted)));
      const isExhausted = ofCallee.some((one) => one.deviation.isExhausted);
      const above =
        isExhausted || dependsOnExhausted(callee, deviation.onset, seen) ? 1 - EXHAUSTION_ACCOUNTS : 1;
      const ofCaller = (reporting.has(callee) ? CALLER : CALLER_OF_SILENT) * share(caller);
      return [
        {
          service: callee,
          aspect: 'calls',
          deviation,
          own: left * share(callee) * (isExhausted ? 1 : above),
        },
        { service: caller, aspect: 'calls', deviation, own: left * ofCaller * above },
      ];
    });
}

/** The share of a caller's increase, in one aspect, that a callee's movement explains. */
function accountOf({ aspect, deviation }: Moved, ofCaller: Aspect, increase: number): number {
  if (aspect === ofCaller) return increaseOf(deviation) / increase;
  return aspect === 'latency' && deviation.now >= TIMES_OUT * deviation.usually ? TIMEOUT_ACCOUNTS : 0;
}

function leftOf(accounted: number): number {
  return accounted >= EXPLAINED ? Math.max(LEAST_LEFT, 1 - accounted) : 1 - accounted / 2;
}

function dependsOnExhausted(service: string, onset: number, { moved, graph }: Seen): boolean {
  const below = graph.reachableFrom(service);
  return moved.some(
    (one) =>
      one.deviation.isExhausted &&
      one.service !== service &&
      (below.has(one.service) ||
        // Where nobody knows who calls whom, what ran out first accounts for what fails then.
        (!graph.knows(service) && !graph.knows(one.service) && one.deviation.onset <= onset + SLACK)),
  );
}

function increaseOf({ now, usually }: Deviation): number {
  return Math.abs(now - usually);
}
