import type { Budget } from '../budget.ts';
import { type FiredAlert, known, type Reading, type Window } from '../model.ts';
import type { PrometheusClient } from './client.ts';

const MINUTE = 60_000;
/** As often as most rules are evaluated: a pause is seen that is longer than a minute. */
const STEP = MINUTE / 4;
/** As much as Prometheus gives in one answer: 11,000 samples. */
const PIECE = 10_000 * STEP;
/** Two samples in a row, one of which is known a little later. */
const LONGEST_BREAK = 1.5 * STEP;
const FIRING = 'ALERTS{alertstate="firing"}';
/** So many beginnings, the newest, are looked up to the second; the others are known to the minute. */
const MOST_EXACT = 300;
/** Labels of the series that the alert itself does not have. */
const OF_SERIES = new Set(['__name__', 'alertstate']);

/** Which alerts fired, from the series that the rules' evaluator writes. */
export async function firedIn(
  client: PrometheusClient,
  window: Window,
  budget: Budget,
): Promise<Reading<FiredAlert[]>> {
  const minutes = new Map<string, { labels: FiredAlert['labels']; times: number[] }>();
  const caveats = new Set<string>();
  for (let begin = window.from; begin < window.to; begin += PIECE) {
    const piece = { from: begin, to: Math.min(window.to, begin + PIECE) };
    // Over the minute, so that no firing is shorter than what is looked at.
    const reading = await client.queryRange(`max_over_time(${FIRING}[1m])`, piece, STEP, budget);
    if (!reading.known) return reading;
    for (const caveat of reading.caveats) caveats.add(caveat);
    for (const { labels, points } of reading.value) {
      const key = keyOf(labels);
      const known_ = minutes.get(key) ?? { labels: ownLabels(labels), times: [] };
      known_.times.push(...points.times);
      minutes.set(key, known_);
    }
  }
  const firings = [...minutes.values()]
    .flatMap(({ labels, times }) => firingsOf(labels, times, window))
    .sort((a, b) => a.from - b.from);
  return known(await toTheSecond(client, firings, window, budget), [...caveats]);
}

function firingsOf(labels: FiredAlert['labels'], times: readonly number[], window: Window): FiredAlert[] {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const firings: FiredAlert[] = [];
  let from = sorted[0];
  for (const [i, at] of sorted.entries()) {
    const next = sorted[i + 1];
    if (from === undefined || (next !== undefined && next - at <= LONGEST_BREAK)) continue;
    const isOpen = next === undefined && window.to - at <= LONGEST_BREAK;
    firings.push({ name: labels.alertname ?? 'alert without a name', labels, from, to: isOpen ? null : at });
    from = next;
  }
  return firings;
}

/** The first sample of each firing, which is up to a minute before the one that was read. */
async function toTheSecond(
  client: PrometheusClient,
  firings: readonly FiredAlert[],
  window: Window,
  budget: Budget,
): Promise<FiredAlert[]> {
  const begun = [...new Set(firings.map(({ from }) => from))]
    .filter((at) => at - MINUTE > window.from)
    .slice(-MOST_EXACT);
  const firsts = new Map<string, number>();
  await Promise.all(
    begun.map(async (at) => {
      const reading = await client.query(`${FIRING}[1m]`, at, budget);
      for (const { labels, points } of reading.known ? reading.value : []) {
        const [first] = points.times;
        if (first !== undefined) firsts.set(`${at} ${keyOf(labels)}`, first);
      }
    }),
  );
  return firings.map((one) => ({ ...one, from: firsts.get(`${one.from} ${keyOf(one.labels)}`) ?? one.from }));
}

function ownLabels(labels: FiredAlert['labels']): FiredAlert['labels'] {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !OF_SERIES.has(name)));
}

function keyOf(labels: FiredAlert['labels']): string {
  return JSON.stringify(Object.entries(ownLabels(labels)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
