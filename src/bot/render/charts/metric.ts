import type { Artifact } from '../../../contract/answers.ts';
import { isJsonObject } from '../../../lib/json.ts';
import { phrase } from '../results/phrases.ts';

/** One value of a series; `at` in milliseconds since the epoch, `null` if there is none. */
interface Sample {
  at: number;
  value: number | null;
}

export interface Point {
  at: number;
  value: number;
}

/** Points with the same attributes, oldest first, one for each time. */
export interface Series {
  attributes: ReadonlyMap<string, string>;
  samples: Sample[];
}

/** A metric artifact as it can be drawn; texts are untrusted. */
export interface Metric {
  name: string;
  description: string;
  unit: string;
  series: Series[];
  /** Older points that were not read, because there are too many. */
  leftOut: number;
}

export interface Curve {
  name: string;
  points: Point[];
}

/** The end of the year 9999. */
const LATEST = 253_402_300_799_999;
/** No measurement is larger, or nearer to 0: with such numbers one can calculate. */
const LARGEST = 1e30;

/** More than a picture can show, and as many as are read without holding up other work. */
const MOST_POINTS = 20_000;

/**
 * The series of a metric artifact (contract, 2.8), whatever its `data` holds: a point without a time is left out, one
 * without a finite value (`asDouble`, else `asInt`) is a gap. `null` if there is no value at all. Of very many points, the
 * newest are read.
 */
export function readMetric({ data, summary }: Artifact): Metric | null {
  const points: unknown[] = Array.isArray(data?.dataPoints) ? data.dataPoints : [];
  const found = new Map<string, { attributes: Map<string, string>; samples: Map<number, number | null> }>();
  const from = beginOf(points);
  let leftOut = 0;
  for (const point of points) {
    if (!isJsonObject(point)) continue;
    const at = timeOf(point.timeUnixNano);
    if (at === undefined) continue;
    if (at < from) {
      leftOut += 1;
      continue;
    }
    const attributes = attributesOf(point.attributes);
    const key = JSON.stringify([...attributes].sort());
    const series = found.get(key) ?? { attributes, samples: new Map() };
    if (!found.has(key)) found.set(key, series);
    series.samples.set(at, measuredIn(point));
  }
  const series: Series[] = [...found.values()].map(({ attributes, samples }) => ({
    attributes,
    samples: [...samples].map(([at, value]): Sample => ({ at, value })).sort((a, b) => a.at - b.at),
  }));
  const drawn = series.filter(({ samples }) => samples.some(({ value }) => value !== null));
  if (drawn.length === 0) return null;
  return {
    name: textOf(data?.name) || (summary ?? ''),
    description: textOf(data?.description),
    unit: textOf(data?.unit).trim(),
    series: drawn,
    leftOut,
  };
}

function beginOf(points: readonly unknown[]): number {
  if (points.length <= MOST_POINTS) return 0;
  const times = Float64Array.from(points, (point) =>
    isJsonObject(point) ? (timeOf(point.timeUnixNano) ?? 0) : 0,
  );
  return times.sort().at(-MOST_POINTS) ?? 0;
}

/** Nanoseconds since the epoch, as a string or a number; 0 is OpenTelemetry's “unknown”. */
function timeOf(nanoseconds: unknown): number | undefined {
  const at = numberOf(nanoseconds) / 1e6;
  return at > 0 && at <= LATEST ? at : undefined;
}

function measuredIn({ asDouble, asInt }: Record<string, unknown>): number | null {
  const value = asDouble === undefined || asDouble === null ? numberOf(asInt) : numberOf(asDouble);
  if (Math.abs(value) < 1 / LARGEST) return 0;
  return Math.abs(value) <= LARGEST ? value : null;
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function attributesOf(list: unknown): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const entry of Array.isArray(list) ? list.slice(0, 64) : []) {
    if (!isJsonObject(entry) || typeof entry.key !== 'string') continue;
    attributes.set(entry.key, attributeText(entry.value));
  }
  return attributes;
}

function attributeText(value: unknown): string {
  if (!isJsonObject(value)) return '';
  const { arrayValue, kvlistValue, ...simple } = value;
  for (const form of Object.values(simple))
    if (typeof form === 'string' || typeof form === 'number' || typeof form === 'boolean')
      return String(form).slice(0, 400);
  for (const list of [arrayValue, kvlistValue])
    if (isJsonObject(list) && Array.isArray(list.values)) return JSON.stringify(list.values).slice(0, 400);
  return '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** More than these cannot be distinguished. */
const MAX_CURVES = 8;
const MAX_NAME = 80;
const NOTHING = '–';

/** The series as curves: of more than eight, those that vary most; named after the attributes that differ. */
export function curvesOf({ name, description, series }: Metric): Curve[] {
  const chosen =
    series.length <= MAX_CURVES
      ? series
      : [...series].sort((a, b) => variation(b) - variation(a)).slice(0, MAX_CURVES);
  const by = differing(chosen);
  return chosen.map(({ attributes, samples }) => ({
    name:
      by.map((key) => phrase(attributes.get(key), MAX_NAME) || NOTHING).join(' · ') ||
      phrase(labelOf(description) || name, MAX_NAME),
    points: samples.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }])),
  }));
}

function variation({ samples }: Series): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { value } of samples)
    if (value !== null) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  return most - least;
}

export function differing(series: readonly Series[]): string[] {
  const keys = new Set(series.flatMap(({ attributes }) => [...attributes.keys()]));
  return [...keys].filter((key) => new Set(series.map(({ attributes }) => attributes.get(key))).size > 1);
}

/** Labels that name a route or a handler, as instrumentation writes them. */
const ROUTES = ['http.route', 'http_route', 'route', 'handler', 'endpoint', 'rpc.method', 'path'];
const SERVICES = ['service.name', 'service_name', 'service'];
const LONGEST_LABEL = 60;

/**
 * What a person calls the metric: `Error rate · payments · /checkout`, of its label, its service and the route it is
 * about, where all series have the same. Without a label, or where it is a sentence, its own name.
 */
export function titleOf({ name, description, series }: Metric): string {
  const label = labelOf(description);
  if (label === '') return name;
  const shared = (keys: readonly string[]) =>
    keys.map((key) => sharedBy(series, key)).find((value) => value !== '') ?? '';
  return [label, shared(SERVICES), shared(ROUTES)].filter((part) => part !== '').join(' · ');
}

/** A description that is a name and no sentence. */
function labelOf(description: string): string {
  const label = description.trim();
  return label.length > LONGEST_LABEL || /[.!?]$|\n/u.test(label)
    ? ''
    : label.charAt(0).toUpperCase() + label.slice(1);
}

function sharedBy(series: readonly Series[], key: string): string {
  const [value = '', ...others] = new Set(series.map(({ attributes }) => attributes.get(key) ?? ''));
  return others.length === 0 ? value : '';
}
