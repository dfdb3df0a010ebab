import { median } from '../../../lib/statistics.ts';
import type { Points, Series, Window } from '../../telemetry/model.ts';
import type { Facts } from '../types.ts';

export interface Row {
  labels: Series['labels'];
  /** The newest value; `null` where it has ended. */
  now: number | null;
  /** The median of the time that it is compared with; `null` where that has no samples. */
  before: number | null;
  /** What another expression gives by the same labels: what it cannot exceed, what of it failed. */
  beside: number | null;
  series: Series;
  past: Series | undefined;
}

/** How an expression is read: of the last minutes, and as it is, where nothing else is said. */
interface Reading {
  over?: Window;
  past?: Window | null;
  beside?: string | null;
  /** Whether what is written in two ways (`StartSession`, `startsession`) adds up to one. */
  adds?: boolean;
}

export type Reader = Pick<Facts, 'catalog' | 'evaluate' | 'now'>;

const MINUTE = 60_000;
/** What ended is not what there is now. */
const STALE = 10 * MINUTE;

/** The last minutes, of which the newest sample is what there is now. */
export function newest(now: number): Window {
  return { from: now - 2 * MINUTE, to: now + 1 };
}

/** Its labels as a text: the same for two readings of one series. */
export function keyOf({ labels }: Pick<Series, 'labels'>): string {
  return JSON.stringify(Object.entries(labels).sort());
}

/** As a chart of its own, under its own name. */
export function chartOf(series: Series, name: string, unit: string): Series {
  return { ...series, service: name, signal: { ...series.signal, id: `metric ${name}`, label: '', unit } };
}

/** What an expression gives, what has ended last; `null` where it cannot be read. */
export async function rowsOf(
  expression: string,
  { evaluate, now: at }: Pick<Reader, 'evaluate' | 'now'>,
  { over = newest(at), past = null, beside = null, adds = false }: Reading = {},
): Promise<Row[] | null> {
  const read = async (one: string | null, window: Window | null) => {
    const reading = one === null || window === null ? null : await evaluate(one, window);
    if (reading === null || !reading.known) return null;
    return Map.groupBy(reading.value, (one) => (adds ? keyOf(one).toLowerCase() : keyOf(one)));
  };
  const [own, then, most] = await Promise.all([
    read(expression, over),
    read(expression, past),
    read(beside, over),
  ]);
  if (own === null) return null;
  const sum = (some: readonly Series[] = [], of: (points: Points) => number | undefined) => {
    const values = some.map(({ points }) => of(points) ?? Number.NaN).filter((one) => !Number.isNaN(one));
    return values.length === 0 ? null : values.reduce((a, b) => a + b);
  };
  const last = ({ times, values }: Points) =>
    (times.at(-1) ?? 0) < over.to - STALE ? undefined : values.at(-1);
  return [...new Set([...own.keys(), ...(then?.keys() ?? [])])].flatMap((key) => {
    const [present, former] = [own.get(key), then?.get(key)];
    const [series] = present ?? former ?? [];
    return series === undefined
      ? []
      : {
          labels: series.labels,
          now: sum(present, last),
          before: sum(former, ({ values }) => median([...values])),
          beside: sum(most?.get(key), ({ values }) => values.at(-1)),
          series,
          past: former?.[0],
        };
  });
}

/** The same of a metric, as `max by (pod) (…{pod=~"web-.*"})`; nothing where there is no such metric. */
export async function metricRows(
  metric: string,
  { how = 'max', by, where }: { how?: string; by: string; where: string },
  facts: Reader,
  over?: Window,
): Promise<Row[]> {
  if (facts.catalog?.metrics.has(metric) !== true) return [];
  return (await rowsOf(`${how} by (${by}) (${metric}{${where}})`, facts, over && { over })) ?? [];
}
