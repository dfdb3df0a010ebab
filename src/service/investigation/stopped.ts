import { median } from '../../lib/statistics.ts';
import { amount, queryOf, written } from '../telemetry/exported/words.ts';
import type { Exported, StateFinding } from '../telemetry/model.ts';
import type { Case } from './case.ts';
import { timeOfDay } from './format.ts';
import { RESOURCES } from './hypothesis.ts';

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
  const stopped = exported
    .filter(({ service, type }) => type === 'counter' && !own.has(service))
    .flatMap((one) => stopOf(one) ?? [])
    .filter(({ rate, since }) => {
      const share = rate / growth;
      return share <= AS_MUCH && share >= 1 / AS_MUCH && Math.abs(since - primary.onset) <= AT_ONCE;
    })
    .sort((a, b) => Math.abs(Math.log(a.rate / growth)) - Math.abs(Math.log(b.rate / growth)));
  const isStore = ({ service }: Exported) => RESOURCES.has(view.node(service)?.kind ?? 'service');
  const firsts = [...Map.groupBy(stopped, ({ of }) => of.service).values()]
    .flatMap(([nearest]) => nearest ?? [])
    .sort((a, b) => Number(isStore(a.of)) - Number(isStore(b.of)));
  const [first, other] = firsts;
  if (first === undefined) return null;
  const fell = ({ of, rate }: Stop) => `\`${written(of)}\` fell from ${amount(rate, of)} to 0`;
  const since = Math.min(...firsts.map((one) => one.since));
  const also = other === undefined ? '' : ` So did ${other.of.service}: ${fell(other)}.`;
  return {
    object: `app/${first.of.service}`,
    cause: 'stopped',
    namespace: null,
    sentence: `${first.of.service} stopped working at ${timeOfDay(since)}: ${fell(first)}, and as much a second piles up at ${queue}.${also}`,
    evidence: [],
    show: null,
    mend: null,
    source: 'prometheus',
    query: queryOf(first.of),
    confidence: STOPPED,
    since,
  };
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
  return isSteady && values.length - 1 - last >= FEWEST_SINCE
    ? { of, rate, since: times[full + 1] ?? 0 }
    : null;
}
