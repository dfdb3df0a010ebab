import { median, usual } from '../../lib/statistics.ts';
import { fires } from '../telemetry/exported/alerted.ts';
import type { AlertRule, Points, Series } from '../telemetry/model.ts';
import type { Snapshot } from '../telemetry/view.ts';
import { namedByLabels } from './names.ts';

/** What the alert itself measures, from its rule's expression. */
export interface Alerted {
  /** With the service as telemetry names it; the name of the rule if its labels name none. */
  series: Series;
  service: string | null;
  now: number;
  isFiring: boolean;
  /** When what fires now left what was usual; `null` if it does not fire, or has for as long as was read. */
  since: number | null;
}

/** The series of the alert's rule, firing ones first; empty if no rule was found. */
export function alertedSeries({ rule, services, trigger }: Snapshot): Alerted[] {
  if (rule === null) return [];
  const { threshold, name } = rule.rule;
  const names = new Map(
    services.flatMap((one) => [one.name, ...one.aliases].map((alias) => [alias, one.name])),
  );
  const bad = threshold === null ? 'either' : /^</u.test(threshold.comparison) ? 'low' : 'high';
  return rule.series
    .map((series): Alerted => {
      const service =
        namedByLabels(series.labels, services) ??
        names.get(series.service) ??
        // Rules aggregate by arbitrary labels.
        Object.values(series.labels).flatMap((value) => names.get(value) ?? [])[0] ??
        null;
      const now =
        series.points.values[series.points.times.findLastIndex((at) => at <= trigger)] ?? Number.NaN;
      return {
        series: { ...series, service: service ?? name, signal: { ...series.signal, bad } },
        service,
        now,
        isFiring: threshold !== null && fires(now, threshold),
        since: onsetIn(series.points, threshold, trigger),
      };
    })
    .sort((a, b) => Number(b.isFiring) - Number(a.isFiring));
}

/** An episode may pause for so many samples. */
const PAUSE = 2;
/** With fewer samples from when it did not fire, what is usual is not known. */
const FEWEST = 5;
/** What goes on its way to the threshold by this share of it has begun. */
const BEGUN = 0.1;

function onsetIn(
  { times, values }: Points,
  threshold: AlertRule['threshold'],
  trigger: number,
): number | null {
  // Without a threshold there is a sample only while it fires.
  const step = median(times.slice(1).map((at, i) => at - (times[i] ?? at)));
  const isOn = (i: number) => threshold === null || fires(values[i] ?? Number.NaN, threshold);
  const last = times.findLastIndex((at) => at <= trigger);
  if (last < 0 || !isOn(last) || trigger - (times[last] ?? 0) > (PAUSE + 1) * step) return null;
  let first = last;
  for (let i = last - 1; i >= 0 && first - i <= PAUSE + 1; i--) {
    if ((times[first] ?? 0) - (times[i] ?? 0) > (PAUSE + 1) * step) break;
    if (isOn(i)) first = i;
  }
  if (threshold === null || first === 0)
    return first === 0 && threshold !== null ? null : (times[first] ?? null);
  const calm = values.subarray(0, first).filter((_, i) => !isOn(i));
  if (calm.length < FEWEST) return times[first] ?? null;
  const { center, spread } = usual(calm);
  const far = Math.max(BEGUN * Math.abs(threshold.value - center), 3 * spread);
  const way = Math.sign(threshold.value - center);
  while (first > 0 && way * ((values[first - 1] ?? center) - center) > far) first--;
  return times[first] ?? null;
}
