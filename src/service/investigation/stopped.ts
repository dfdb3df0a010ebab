import { median } from '../../lib/statistics.ts';
import { amount, queryOf, written } from '../telemetry/exported/words.ts';
import type { Exported, StateFinding } from '../telemetry/model.ts';
import type { Case } from './case.ts';
import { failingLines } from './failing-lines.ts';
import { timeOfDay } from './format.ts';
import { FAILING_LINES, howOften, quoted } from './words/lines.ts';

/** What was done of it a second is what piles up a second, within this factor. */
const AS_MUCH = 1.5;
/** Steady before, and nothing since: so many samples of each. */
const FEWEST = 6;
const FEWEST_SINCE = 2;
/** A scrape may be this much later than another. */
const AT_ONCE = 60_000;
/** More than what only departs, and less than what is down. */
const STOPPED = 0.7;

/**
 * Where a queue grows: who stopped when that began, having done as much a second as piles up since. It names the consumer
 * that hangs, and what it hangs on, without knowing who calls whom.
 */
export function stoppedWork({
  placed: { incident },
  view,
}: Pick<Case, 'placed' | 'view'>): StateFinding | null {
  const primary = incident?.primary;
  if (primary?.profile.measure !== 'queue' || primary.end !== null) return null;
  const growth = (primary.worst - primary.before) / ((primary.worstAt - primary.onset) / 1000);
  const { exported = [] } = view.snapshot;
  const queue = primary.series.service;
  // The broker counts what it hands over.
  const own = new Set(
    exported.flatMap(({ service, labels }) =>
      service === queue || Object.values(labels).includes(queue) ? [service] : [],
    ),
  );
  const stops = exported
    .filter(({ service, type }) => type === 'counter' && !own.has(service))
    .flatMap((one) => stopOf(one) ?? []);
  const farFrom = ({ rate }: Stop) => Math.abs(Math.log(rate / growth));
  const missing = stops.filter(
    (one) => farFrom(one) <= Math.log(AS_MUCH) && Math.abs(one.since - primary.onset) <= AT_ONCE,
  );
  // Who is only not asked any more goes on with the rest of its work.
  const goesOn = ({ of: { service } }: Stop) =>
    exported.filter((one) => one.service === service && isBusy(one)).length /
    stops.filter(({ of }) => of.service === service).length;
  const [first, other] = [...Map.groupBy(missing, ({ of }) => of.service).values()]
    .flatMap((some) => some.toSorted((x, y) => farFrom(x) - farFrom(y))[0] ?? [])
    .sort((x, y) => goesOn(x) - goesOn(y));
  if (first === undefined) return null;
  const before = ({ of, rate }: Stop) => `from ${amount(rate, of)} to 0`;
  const also =
    other === undefined
      ? ''
      : ` With it fell \`${written(other.of)}\` of ${other.of.service}, ${before(other)}.`;
  return {
    object: `app/${first.of.service}`,
    cause: 'stopped',
    namespace: null,
    sentence: `${first.of.service}: \`${written(first.of)}\` fell ${before(first)} at ${timeOfDay(first.since)}, and as much a second piles up at ${queue}.${also}`,
    evidence: [],
    show: null,
    mend: null,
    source: 'prometheus',
    query: queryOf(first.of),
    confidence: STOPPED,
    since: first.since,
  };
}

function isBusy({ type, points: { values } }: Exported): boolean {
  return type === 'counter' && (values.at(-1) ?? 0) > 0;
}

interface Stop {
  of: Exported;
  rate: number;
  since: number;
}

/** When a steady rate fell to nothing, and what it was; `null` if it did not. */
function stopOf(of: Exported): Stop | null {
  const { times, values } = of.points;
  const last = values.findLastIndex((value) => value > 0);
  const before = values.subarray(0, last + 1);
  const rate = median(before);
  // A rate falls over some samples.
  const full = before.findLastIndex((value) => value >= 0.9 * rate);
  const isSteady = full + 1 >= FEWEST && before.subarray(0, full + 1).every((value) => value >= rate / 4);
  return rate > 0 && isSteady && values.length - 1 - last >= FEWEST_SINCE
    ? { of, rate, since: times[full + 1] ?? 0 }
    : null;
}

/**
 * Where a queue grows: who began to log errors when that began, and goes on. A queue writes no lines of its own, and who
 * works on it is seldom measured.
 */
export function failingMeanwhile({
  placed: { incident },
  view,
}: Pick<Case, 'placed' | 'view'>): StateFinding | null {
  const primary = incident?.primary;
  if (primary?.profile.measure !== 'queue' || primary.end !== null) return null;
  const { logs } = view.snapshot;
  const queue = primary.series.service;
  const writing = new Set(logs.map(({ service }) => service));
  if (writing.has(queue)) return null;
  const [most] = [...writing]
    .flatMap((service) => failingLines(view, service))
    .filter(
      ({ isOngoing, before, first }) =>
        isOngoing && (before ?? 0) === 0 && Math.abs(first - primary.onset) <= AT_ONCE,
    )
    .sort((a, b) => b.count - a.count);
  if (most === undefined) return null;
  return {
    object: `app/${most.service}`,
    cause: FAILING_LINES,
    namespace: null,
    sentence: `${most.service} has logged errors since ${queue} began to grow: \`${quoted(most.example)}\` (${howOften(most)}).`,
    evidence: [],
    show: null,
    mend: null,
    source: 'logs',
    query: `${most.service} logs from ${timeOfDay(most.first)}`,
    confidence: STOPPED,
    since: most.first,
  };
}
