import type { Edge, Measure } from '../../telemetry/model.ts';
import type { Anomaly } from '../anomalies.ts';
import { callGraph } from '../ranking/share-blame.ts';
import type { Ranking, Reason, SuspectKind } from '../ranking/types.ts';
import { isOngoing, type Present } from './departures.ts';

/** Where the problem of a service comes from, by what departs now. */
interface Located {
  /** The service that has the symptom, and what represents it. */
  symptom: string;
  primary: Anomaly;
  /** The service that the problem comes from. */
  place: string;
  /** What shows it there: its own departure, or that of the calls to it. */
  shown: Anomaly;
  /** What departs on the path. */
  affected: ReadonlyMap<string, readonly Anomaly[]>;
  /** Whether any call from or to the symptom's service is known: else nothing leads from there to a cause elsewhere. */
  isConnected: boolean;
}

interface Sought {
  named: string | null;
  /** People's words, which choose among the symptoms. */
  text: string;
  trigger: number;
  edges: readonly Edge[];
}

const MINUTE = 60_000;

/** A callee's part of what its caller shows: errors and delays fade on their way up. */
const ACCOUNTS_FOR = 1 / 3;

/** A callee's problem shows in its samples at most this much later, in steps, than in its caller's. */
const LATER_STEPS = 4;

/** What callers feel. */
const FELT: ReadonlySet<Measure> = new Set<Measure>(['errors', 'success', 'latency', 'queue', 'lag']);

/** What explains a caller's problem of any kind. */
const USED_UP: ReadonlySet<Measure> = new Set<Measure>(['up', 'connections', 'waiting', 'oom-kills']);

/**
 * The place of the problem that the alert is about: from the alert's service down the calls, as long as a callee departs
 * by enough to account for its caller. `null` if nothing of the alert's service departs now.
 */
export function locate(present: Present, sought: Sought): Located | null {
  const { named, trigger } = sought;
  const active = (service: string) =>
    (present.own.get(service) ?? []).filter((one) => isOngoing(one, trigger, present.stepMs));
  const symptom = named ?? worstService(present, active);
  if (symptom === null) return null;
  const primary = primaryOf(active(symptom), sought.text) ?? callsTo(symptom, present, trigger)[0] ?? null;
  if (primary === null) return null;
  const graph = callGraph(sought.edges);
  if (!graph.knows(symptom)) {
    const other = unconnected(symptom, primary, present, active, (service) => graph.knows(service));
    if (other !== null) return other;
  }
  const path = [symptom];
  let place = symptom;
  let shown = primary;
  for (;;) {
    const from = place;
    const above = shown;
    const below = graph
      .callees(from)
      .filter((callee) => !path.includes(callee))
      .flatMap(
        (callee) => accountFor({ caller: from, callee }, above, present, active(callee), trigger) ?? [],
      )
      .sort((a, b) => b.share - a.share)[0];
    // Traffic comes from above, and memory from nowhere else.
    if (below === undefined || ['memory', 'requests'].includes(above.profile.measure)) break;
    place = below.callee;
    shown = below.shown;
    path.push(place);
  }
  const source = entryOf(symptom, primary, sought, active);
  if (source !== null) return source;
  const affected = new Map(
    path.map((service) => {
      const own = active(service);
      return [service, own.length > 0 ? own : [service === place ? shown : primary]];
    }),
  );
  return { symptom, primary, place, shown, affected, isConnected: graph.knows(symptom) };
}

/**
 * Where nobody knows who calls whom: what is used up by then, or shows the same and worse, is the likelier place. Not sure,
 * since nothing leads there.
 */
function unconnected(
  symptom: string,
  primary: Anomaly,
  present: Present,
  active: (service: string) => readonly Anomaly[],
  isConnected: (service: string) => boolean,
): Located | null {
  const latest = primary.onset + LATER_STEPS * present.stepMs;
  const weight = (one: Anomaly) => {
    if (USED_UP.has(one.profile.measure)) return 100;
    return aspectOf(one) === aspectOf(primary) && sameUnit(one, primary) ? ratio(one) : 0;
  };
  const own = Math.max(0, ...active(symptom).map(weight));
  const [best] = [...present.own.keys()]
    .filter((service) => service !== symptom && !isConnected(service))
    .flatMap((service) => active(service).map((shown) => ({ service, shown })))
    .filter(({ shown }) => shown.onset <= latest && weight(shown) > own)
    .sort((a, b) => weight(b.shown) - weight(a.shown));
  if (best === undefined) return null;
  const { service: place, shown } = best;
  return {
    symptom,
    primary,
    place,
    shown,
    affected: new Map([
      [symptom, active(symptom)],
      [place, active(place)],
    ]),
    isConnected: false,
  };
}

/** How far out it is: a share of failures by itself, anything else against what is usual. */
function ratio(one: Anomaly): number {
  if (aspectOf(one) === 'errors') return Math.abs(excess(one));
  return one.worst / Math.max(one.before, 1e-9);
}

/** Traffic comes from above: the first service on the way up whose own requests rose is where it enters. */
function entryOf(
  place: string,
  primary: Anomaly,
  { edges }: Sought,
  active: (service: string) => readonly Anomaly[],
): Located | null {
  if (primary.profile.measure !== 'requests') return null;
  let top = place;
  const surge = (service: string) => active(service).find(({ profile }) => profile.measure === 'requests');
  const seen = new Set([top]);
  for (;;) {
    const rise = (service: string) => {
      const own = surge(service);
      return own === undefined ? 0 : own.worst - own.before;
    };
    const caller = edges
      .filter((edge) => edge.callee === top && !seen.has(edge.caller) && rise(edge.caller) > 0)
      .sort((a, b) => rise(b.caller) - rise(a.caller))[0]?.caller;
    if (caller === undefined) break;
    seen.add(caller);
    top = caller;
  }
  const shown = surge(top) ?? primary;
  return {
    symptom: place,
    primary,
    place: top,
    shown,
    isConnected: true,
    affected: new Map([
      [top, active(top)],
      [place, active(place)],
    ]),
  };
}

interface Account {
  callee: string;
  shown: Anomaly;
  /** Of the caller's excess. */
  share: number;
}

/** Whether a callee accounts for what its caller shows, by its own samples or by the caller's of the calls to it. */
function accountFor(
  { caller, callee }: Edge,
  above: Anomaly,
  present: Present,
  own: readonly Anomaly[],
  trigger: number,
): Account | null {
  const latest = above.onset + LATER_STEPS * present.stepMs;
  const inTime = own.filter(({ onset }) => onset <= latest);
  const calls = present.calls.filter(
    (one) =>
      one.series.edge?.caller === caller &&
      one.series.edge.callee === callee &&
      one.onset <= latest &&
      isOngoing(one, trigger, present.stepMs),
  );
  const share = (one: Anomaly) => Math.abs(excess(one)) / Math.max(Math.abs(excess(above)), 1e-9);
  const same = (one: Anomaly) => aspectOf(one) === aspectOf(above) && sameUnit(one, above);
  const felt = [...inTime, ...calls].filter(same).sort((a, b) => excess(b) - excess(a))[0];
  const usedUp = inTime.find(({ profile }) => USED_UP.has(profile.measure));
  if (felt !== undefined && share(felt) >= ACCOUNTS_FOR)
    return { callee, shown: inTime.find(same) ?? usedUp ?? felt, share: share(felt) };
  // A callee that is down, or has nothing left to work with, accounts for what its callers feel.
  if (usedUp !== undefined && (calls.length > 0 || usedUp.profile.measure === 'up'))
    return { callee, shown: usedUp, share: 1 };
  // What waits for a slow callee may give up: errors above, delay below.
  const slow = inTime.find(({ profile }) => profile.measure === 'latency');
  const failingCalls = calls.find((one) => aspectOf(one) === 'errors');
  if (aspectOf(above) === 'errors' && slow !== undefined && failingCalls !== undefined)
    return { callee, shown: slow, share: share(failingCalls) };
  return null;
}

function excess({ worst, before }: Anomaly): number {
  return worst - before;
}

function sameUnit(a: Anomaly, b: Anomaly): boolean {
  return a.series.signal.unit === b.series.signal.unit;
}

type Aspect = Exclude<SuspectKind, 'cut-short'> | 'requests';

function aspectOf({ profile: { measure } }: Anomaly): Aspect {
  if (measure === 'errors' || measure === 'success') return 'errors';
  if (measure === 'latency' || measure === 'queries') return 'latency';
  if (measure === 'requests') return 'requests';
  return measure === 'connections' || measure === 'memory' ? 'saturation' : 'other';
}

/** What the alert means, of what departs at its service: what its text names, else what callers feel. */
function primaryOf(active: readonly Anomaly[], text: string): Anomaly | null {
  const rank = ({ profile: { measure, words } }: Anomaly) =>
    (words.test(text) ? 4 : 0) + (FELT.has(measure) ? 2 : 0) + (measure === 'requests' ? 0 : 1);
  return active.toSorted((a, b) => rank(b) - rank(a) || a.onset - b.onset)[0] ?? null;
}

/** The calls to a service that measures nothing itself. */
function callsTo(service: string, present: Present, trigger: number): Anomaly[] {
  return present.calls.filter(
    (one) =>
      one.series.edge?.callee === service &&
      FELT.has(one.profile.measure) &&
      isOngoing(one, trigger, present.stepMs),
  );
}

/** Where the issue names no service: the one that fails the most requests, else the slowest. */
function worstService({ own }: Present, active: (service: string) => readonly Anomaly[]): string | null {
  const badness = (service: string) =>
    Math.max(
      0,
      ...active(service).map((one) =>
        aspectOf(one) === 'errors'
          ? 10 + 10 * Math.abs(excess(one))
          : FELT.has(one.profile.measure)
            ? 1 + Math.min(8, one.worst / Math.max(one.before, 1e-9))
            : 0.5,
      ),
    );
  const worst = [...own.keys()].sort((a, b) => badness(b) - badness(a))[0];
  return worst !== undefined && badness(worst) > 0 ? worst : null;
}

/** How sure the place is: it departs itself, and for long enough to be no accident. */
const SURE = 0.8;

const LIKELY = 0.6;

/** Three samples of a fault are few. */
const FEW_STEPS = 6;

/** The located place as a ranking of one, in the ranking's own terms. */
export function rankingOf({ place, shown }: Located, { stepMs }: Present, trigger: number): Ranking {
  const isOwn = shown.series.edge === null;
  const isBrief = trigger - shown.onset < FEW_STEPS * stepMs;
  const reason: Reason = {
    what: 'series',
    aspect: isOwn ? kindOf(shown) : 'calls',
    service: place,
    caller: shown.series.edge?.caller ?? null,
    callee: shown.series.edge?.callee ?? null,
    signal: shown.series.signal.id,
    instance: shown.series.instance,
    now: shown.worst,
    usually: shown.before,
    deviation: Math.abs(excess(shown)) / Math.max(Math.abs(shown.before), 1e-9),
    onset: shown.onset,
  };
  return {
    found: true,
    ranking: [
      {
        service: place,
        score: isOwn && !isBrief ? SURE : LIKELY,
        kind: isOwn ? kindOf(shown) : 'calls',
        onset: shown.onset,
        reasons: [reason],
      },
    ],
  };
}

function kindOf(anomaly: Anomaly): Exclude<SuspectKind, 'cut-short'> {
  const aspect = aspectOf(anomaly);
  return aspect === 'requests' ? 'other' : aspect;
}

/** A fault this young is judged by the present alone: a longer past knows nothing of it. */
export const YOUNG_MS = 6 * MINUTE;

/** With less of a past, nothing but the present can be judged. */
export const SHORT_MS = 60 * MINUTE;
