import { z } from 'zod';
import { isRecord } from '../../payload.ts';
import type { Severity } from '../../types.ts';

const path = z
  .string()
  .min(1)
  .max(300)
  .transform((text) => text.replace(/^\$\.?/u, ''))
  .optional();

const words = z.union([z.string(), z.number(), z.boolean()]).transform((word) => String(word).toLowerCase());
const severity = z.enum(['low', 'medium', 'high']);

/**
 * Where a source's payloads say what, as `ALERT_MAP_<NAME>` holds it in JSON. Paths have dots (`alert.labels`,
 * `alerts.0.name`) and begin at the item, the path of the items at the body.
 */
export const FieldMap = z.strictObject({
  /** The list of alerts; without it, the body is one alert or a list of them. */
  items: path,
  title: path,
  description: path,
  severity: path,
  /** Severities by the tool's words: `{ "SEV-A": "high" }`. */
  severityMap: z
    .record(z.string(), severity)
    .transform(
      (map): ReadonlyMap<string, Severity> =>
        new Map(Object.entries(map).map(([word, meaning]) => [word.toLowerCase(), meaning])),
    )
    .default(new Map()),
  labels: path,
  status: path,
  /** The statuses that mean a recovery. */
  resolved: z.union([words.transform((word) => [word]), z.array(words)]).default([]),
  time: path,
  link: path,
  fingerprint: path,
  service: path,
  environment: path,
});
export type FieldMap = z.output<typeof FieldMap>;

/** The value at a path with dots; `undefined` if there is none. A key that has dots itself is found too. */
export function valueAt(value: unknown, at: string): unknown {
  let current = value;
  let rest = at;
  while (rest !== '') {
    if (isRecord(current) && Object.hasOwn(current, rest)) return current[rest];
    const [key = ''] = rest.split('.', 1);
    if (Array.isArray(current)) current = /^\d{1,6}$/u.test(key) ? current[Number(key)] : undefined;
    else current = isRecord(current) && Object.hasOwn(current, key) ? current[key] : undefined;
    if (current === undefined) return undefined;
    rest = rest.slice(key.length + 1);
  }
  return current;
}
