import type { Budget } from '../budget.ts';
import { known, type Measure, type Reading, unknown, type Window } from '../model.ts';
import { narrowedTo } from './among.ts';
import { LISTING } from './client.ts';
import { type Directory, type Group, namesIn } from './directory.ts';
import type { OfferedSignal } from './recognition.ts';

/**
 * What the server ranks itself: for each signal the services that depart the most from their own past, by the ratio of now
 * to two hours before. It costs one request for all signals that name services alike, whatever the number of services.
 */

/** So many services a signal. */
const MOST = 10;
/** So long ago nothing departed yet. */
const BEFORE = '2h';
/** A ratio of so much is a departure. */
const LEAST = 1.5;
/** What runs out, or is gone, departs by so much, however slowly it got there. */
const RUN_OUT = 30;
const FULL = 0.9;
/** A certificate that expires within so many seconds. */
const SOON = 86_400;

/** What others feel, or what explains it, and how little of it matters in no system, in the unit of the signal. */
const RANKED: Readonly<Partial<Record<Measure, { little: number; least?: number }>>> = {
  errors: { little: 0.02 },
  success: { little: 0.02, least: 1.02 },
  latency: { little: 0.02 },
  requests: { little: 1 },
  waiting: { little: 1 },
  queue: { little: 10 },
  lag: { little: 30 },
  'cache-hits': { little: 0.05 },
  up: { little: 0.1, least: 1.1 },
  restarts: { little: 0.5 },
  'oom-kills': { little: 0.5 },
};

/** What departs, the most first. */
export async function departuresIn(
  directory: Directory,
  { window, budget }: { window: Window; budget: Budget },
): Promise<Reading<string[]>> {
  const { recognition, naming } = directory;
  const silent = silentIn(directory);
  const asked = directory.groups.flatMap((group) => {
    const parts = silent(group).flatMap((offer) => rankedBy(offer, recognition.rate));
    return parts.length === 0 ? [] : [{ group, expression: parts.join(' or ') }];
  });
  const readings = await Promise.all(
    asked.map(async ({ group, expression }) => ({
      group,
      reading: await recognition.client.query(expression, window.to - 1, budget, LISTING),
    })),
  );
  const ranked = new Map<string, number>();
  const reasons = new Set<string>();
  for (const { group, reading } of readings) {
    if (!reading.known) reasons.add(reading.reason);
    for (const { labels, points } of reading.known ? reading.value : [])
      for (const name of namesIn(labels, group.offers, naming))
        ranked.set(name, Math.max(ranked.get(name) ?? 0, points.values[0] ?? 0));
  }
  if (reasons.size > 0 && reasons.size === readings.length) return unknown([...reasons].join(' '));
  const sorted = [...ranked].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return known(sorted, [...reasons]);
}

/** The signals to rank of a group: those of calls only for what reports nothing itself, and is seen by its callers alone. */
function silentIn({ groups, recognition }: Directory): (group: Group) => readonly OfferedSignal[] {
  const reporting = new Set(
    groups.flatMap(({ rows }) => rows ?? []).flatMap(({ names }) => (names.length === 1 ? names : [])),
  );
  return ({ offers, rows }) =>
    offers.flatMap(({ edge, ...offer }) => {
      if (edge === undefined) return [offer];
      const silent = (rows ?? []).filter(({ names: [, callee = ''] }) => !reporting.has(callee));
      const called = { ...offer, place: { ...offer.place, labels: edge.callee, namespace: [] } };
      const labels = silent.map((row) => row.labels);
      return silent.length === 0 ? [] : [narrowedTo(labels, called, recognition.labels)];
    });
}

/** Expressions whose results are what departs in a signal: in the direction that is bad, or run out, or gone. */
function rankedBy({ signal, query, limit }: OfferedSignal, rate: string): string[] {
  const measured = `(${query(rate)})`;
  const before = `last_over_time(${measured}[1m:1m] offset ${BEFORE})`;
  // What is gone is up no more.
  const now = signal.measure === 'up' ? `(${measured} or 0 * ${before})` : measured;
  const ranked = RANKED[signal.measure];
  const parts: string[] = [];
  if (ranked !== undefined) {
    const { little, least = LEAST } = ranked;
    const so = little * (PER_SECOND[signal.unit] ?? 1);
    // More requests than usual may be what breaks others.
    const isLow = signal.bad === 'low' && signal.measure !== 'requests';
    const [much, few] = isLow ? [before, now] : [now, before];
    parts.push(`(${much} + ${so}) / (${few} + ${so}) > ${least}`);
  }
  if (signal.measure === 'certificate') parts.push(`0 * (${now} < ${SOON}) + ${RUN_OUT}`);
  const share = limit === undefined ? now : `${now} / (${limit(rate)})`;
  if (signal.measure === 'disk' || (limit !== undefined && USED_UP.has(signal.measure)))
    parts.push(`0 * (${share} >= ${FULL} and ${now} > 1.01 * ${before}) + ${RUN_OUT}`);
  return parts.map((part) => `topk(${MOST}, ${part})`);
}

/** With nothing left of it, others wait. */
const USED_UP: ReadonlySet<Measure> = new Set<Measure>(['memory', 'connections']);
/** Of durations, what is little is given in seconds. */
const PER_SECOND: Readonly<Record<string, number>> = { ms: 1e3, us: 1e6 };
