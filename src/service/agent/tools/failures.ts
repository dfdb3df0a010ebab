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
  return rates.length === 0 || shares.length === 0 ? null : { service, failed, all, window };
}
