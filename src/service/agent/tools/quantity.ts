import { mean, median } from '../../../lib/statistics.ts';
import type { Points, Series, Window } from '../../telemetry/model.ts';
import type { Catalog } from '../catalog/find.ts';
import { AS_NEAR, candidatesFor, type Measured, measure } from '../catalog/measure.ts';
import type { Facts } from '../types.ts';

/** What a metric of the source's own says now. */
export interface Quantity {
  name: string;
  help: string;
  unit: string;
  now: number;
  /** The median of the time before; `null` where there is too little of it. */
  usual: number | null;
  max: number;
  /** Since when it is away from what was usual, in milliseconds; `null` if it is not. */
  since: number | null;
  /** How much there was in the window, of what is counted; `null` for a level. */
  inAll: number | null;
  /** Whether it is a moment, in seconds since the epoch. */
  isMoment: boolean;
  /** Of a flag: whether it is set everywhere. */
  holds: boolean | null;
  /** The largest parts, by label; how many there are in all. */
  parts: { value: number; labels: Record<string, string> }[];
  partsInAll: number;
  filters: { label: string; values: readonly string[] }[];
  query: string;
  url: string | null;
}

export interface Quantities {
  found: Quantity[];
  /** As near to the question as the first. */
  near: Quantity[];
  /** Words of the question that nothing of it explains. */
  left: readonly string[];
}

const MINUTE = 60_000;
const MOST_PARTS = 5;
const MOST_NEAR = 3;
const LEAST_COVERED = 0.6;
const SETTLED = 10;
const OFF = 0.3;
const YEAR = 365 * 24 * 3_600;

/** What a question asks of any metric that there is; `null` if none is meant. */
export async function quantities(
  question: string,
  catalog: Catalog,
  window: Window,
  facts: Facts,
): Promise<Quantities | null> {
  const parts = partsOf(question);
  const whole = candidatesFor(question, catalog);
  const [best] = whole;
  if (best === undefined || best.covered < LEAST_COVERED) return null;
  const chosen = [best];
  for (const part of parts) {
    const [own] = catalog.find(part);
    if (
      own !== undefined &&
      own.covered >= LEAST_COVERED &&
      !chosen.some(({ metric }) => metric === own.metric)
    )
      chosen.push(own);
  }
  const found: Quantity[] = [];
  const seen = new Set<string>();
  for (const candidate of chosen.slice(0, 2)) {
    const one = await read(measure(question, candidate, catalog), window, facts);
    if (one !== null && !seen.has(one.query)) found.push(one);
    seen.add(one?.query ?? '');
  }
  const near: Quantity[] = [];
  for (const candidate of whole.filter(
    ({ metric, covered }) =>
      covered >= best.covered - AS_NEAR && !chosen.some((one) => one.metric === metric),
  )) {
    if (near.length >= MOST_NEAR) break;
    const measured = measure(question, candidate, catalog);
    if (seen.has(measured.whole)) continue;
    seen.add(measured.whole);
    const one = await read({ ...measured, parts: null }, window, facts);
    if (one !== null && one.unit === (found[0]?.unit ?? one.unit)) near.push(one);
  }
  const [first, ...rest] = [...found, ...near];
  return first === undefined
    ? null
    : { found: found.length > 0 ? found : [first], near: found.length > 0 ? near : rest, left: best.left };
}

function partsOf(question: string): string[] {
  const parts = question
    .split(/\s*[,;]\s+(?:and\s+)?|\s+and\s+/iu)
    .filter((part) => part.split(' ').length > 2);
  return parts.length > 1 ? parts : [];
}

async function read(measured: Measured, window: Window, facts: Facts): Promise<Quantity | null> {
  const whole = await facts.evaluate(measured.whole, window);
  const series = whole.known ? whole.value[0] : undefined;
  const values = series === undefined ? [] : [...series.points.values];
  const now = values.at(-1);
  if (series === undefined || now === undefined) return null;
  const isMoment = measured.mayBeMoment && Math.abs(now - facts.now / 1000) < 20 * YEAR;
  const split = measured.parts === null ? null : await facts.evaluate(measured.parts.expression, window);
  const all = split?.known ? split.value.flatMap((one) => partOf(one)) : [];
  facts.evidenceStore.metric(shown(series, measured), window);
  const usual = usualOf(series.points);
  return {
    name: measured.name,
    help: measured.help,
    unit: measured.unit,
    now,
    usual,
    max: Math.max(...values),
    since: isMoment || usual === null ? null : sinceOf(series.points, usual),
    inAll: measured.unit.endsWith('/s') ? (mean(values) * (window.to - window.from)) / 1000 : null,
    isMoment,
    holds: measured.isFlag && values.every((value) => value === 0 || value === 1) ? now === 1 : null,
    parts: all
      .toSorted((a, b) => (isMoment || measured.isFlag ? a.value - b.value : b.value - a.value))
      .slice(0, MOST_PARTS),
    partsInAll: all.length,
    filters: [...measured.filters],
    query: measured.whole,
    url: series.providerUrl,
  };
}

function partOf({ labels, points }: Series): { value: number; labels: Record<string, string> }[] {
  const value = points.values.at(-1);
  return value === undefined || Number.isNaN(value) ? [] : [{ value, labels: { ...labels } }];
}

/** The level before the last minutes. */
function usualOf({ values }: Points): number | null {
  const before = [...values.subarray(0, Math.max(0, values.length - SETTLED))].filter(
    (value) => !Number.isNaN(value),
  );
  return before.length < SETTLED ? null : median(before);
}

function sinceOf({ times, values }: Points, usual: number): number | null {
  const isOff = (value: number) => Math.abs(value - usual) > OFF * Math.abs(usual) + Number.EPSILON;
  const last = values.findLastIndex((value) => !isOff(value));
  const first = times[last + 1];
  return first === undefined || last < 0 || times.length - last < 3 ? null : first - (first % MINUTE);
}

/** As a chart of its own, under its own name. */
function shown(series: Series, { name, unit }: Measured): Series {
  return { ...series, service: name, signal: { ...series.signal, id: `metric ${name}`, label: '', unit } };
}
