import type { Artifact } from '../../../../contract/answers.ts';
import type { Metric, Sample, Series } from './types.ts';

/** The end of the year 9999. */
const LATEST = 253_402_300_799_999;
/** No measurement is larger, or nearer to 0: with such numbers one can calculate. */
const LARGEST = 1e200;

/**
 * The series of a metric artifact (contract, 2.8), whatever its `data` holds: a point without a time is left out, one
 * without a finite value (`asDouble`, else `asInt`) is a gap. `null` if there is no value at all.
 */
export function readMetric({ data, summary }: Artifact): Metric | null {
  const points: unknown[] = Array.isArray(data?.dataPoints) ? data.dataPoints : [];
  const found = new Map<string, { attributes: Map<string, string>; samples: Map<number, number | null> }>();
  for (const point of points) {
    if (!isRecord(point)) continue;
    const at = timeOf(point.timeUnixNano);
    if (at === undefined) continue;
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
  };
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
    if (!isRecord(entry) || typeof entry.key !== 'string') continue;
    attributes.set(entry.key, attributeText(entry.value));
  }
  return attributes;
}

/** The value in one of OpenTelemetry's forms, as text. */
function attributeText(value: unknown): string {
  if (!isRecord(value)) return '';
  const { arrayValue, kvlistValue, ...simple } = value;
  for (const form of Object.values(simple))
    if (typeof form === 'string' || typeof form === 'number' || typeof form === 'boolean')
      return String(form).slice(0, 400);
  for (const list of [arrayValue, kvlistValue])
    if (isRecord(list) && Array.isArray(list.values)) return JSON.stringify(list.values).slice(0, 400);
  return '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
