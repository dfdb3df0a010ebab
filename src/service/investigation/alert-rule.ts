import type { Series } from '../telemetry/model.ts';
import type { Snapshot } from '../telemetry/view.ts';
import { namedByLabels } from './named-by-labels.ts';

/** What the alert itself measures, from its rule's expression. */
export interface Alerted {
  /** With the service as telemetry names it; the name of the rule if its labels name none. */
  series: Series;
  service: string | null;
  /** The newest value. */
  now: number;
  /** Whether it exceeds the rule's threshold. */
  isFiring: boolean;
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
        serviceIn(series.labels, names);
      const now =
        series.points.values[series.points.times.findLastIndex((at) => at <= trigger)] ?? Number.NaN;
      return {
        series: { ...series, service: service ?? name, signal: { ...series.signal, bad } },
        service,
        now,
        isFiring: threshold !== null && exceeds(now, threshold),
      };
    })
    .sort((a, b) => Number(b.isFiring) - Number(a.isFiring));
}

/** Any label whose value is a service's name names the service: rules aggregate by arbitrary labels. */
function serviceIn(
  labels: Readonly<Record<string, string>>,
  names: ReadonlyMap<string, string>,
): string | null {
  return Object.values(labels).flatMap((value) => names.get(value) ?? [])[0] ?? null;
}

function exceeds(
  value: number,
  { comparison, value: limit }: { comparison: string; value: number },
): boolean {
  switch (comparison) {
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '==':
      return value === limit;
    default:
      return value !== limit;
  }
}
