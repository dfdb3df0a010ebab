import { median } from '../../../lib/statistics.ts';
import type { Window } from '../../telemetry/model.ts';
import type { View } from '../../telemetry/view.ts';

/** How many requests of a service failed in a window, of how many. */
export interface Failures {
  service: string;
  failed: number;
  all: number;
  window: Window;
}

/** A sample stands for no longer than this. */
const LONGEST = 10 * 60_000;
/** One sample, and a window with a hole in it, count nothing. */
const FEWEST = 2;
const LEAST_GAP = 3 * 60_000;

/** From the share that failed and the requests a second; `null` where one of them is not measured. */
export function failuresOf(service: string, view: View, window: Window): Failures | null {
  const [share, rate] = [view.seriesOf(service, 'errors'), view.seriesOf(service, 'requests')];
  if (share === undefined || rate === undefined || share.signal.unit !== '1') return null;
  const shares = view.points(share, window);
  const rates = view.points(rate, window);
  let [failed, all] = [0, 0];
  let next = 0;
  for (const [i, { at, value }] of rates.entries()) {
    const until = rates[i + 1]?.at ?? window.to;
    const seconds = Math.min(LONGEST, until - at) / 1000;
    while ((shares[next + 1]?.at ?? Number.POSITIVE_INFINITY) <= at) next++;
    all += value * seconds;
    failed += value * seconds * (shares[next]?.value ?? 0);
  }
  // What was not sampled is not zero.
  const times = [window.from, ...rates.map(({ at }) => at), window.to];
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? at));
  const isWhole = rates.length >= FEWEST && Math.max(...gaps) <= Math.max(LEAST_GAP, FEWEST * median(gaps));
  return isWhole && shares.length > 0 ? { service, failed, all, window } : null;
}
