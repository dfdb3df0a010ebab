import { z } from '@hono/zod-openapi';

/** The only API version supported by this service (contract, section 9). */
export const SERVICE_VERSION = '2026-03-17';

const dateTime = z.union([z.iso.datetime(), z.iso.datetime({ precision: -1 })], {
  error: 'must be an ISO 8601 date-time in UTC, such as 2026-03-17T09:30:00Z',
});

/** A date-time in UTC with a trailing `Z`; seconds and fractions are optional (contract, section 2). */
export const Timestamp = dateTime.openapi({ type: 'string', format: 'date-time' });

/** The same in a request; the format `date-time` in openapi.json would require seconds. */
export const RequestTimestamp = dateTime.openapi({
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$`,
});

/** An integer in an answer, up to the contract's limit (section 8). */
export function boundedInteger(min: 0 | 1) {
  return z.int().min(min).max(Number.MAX_SAFE_INTEGER);
}

// No flags in patterns: openapi.json would show them as part of the pattern.

/** The UUID of an issue in a path or a cursor: lowercase hex, 8-4-4-4-12. */
export const IssueId = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, {
  error: 'must be a UUID in lowercase, 8-4-4-4-12',
});

/** An integer from 1 to `max` in a path or a query string. */
export function integerParameter(max: number) {
  return z
    .string()
    .regex(/^[1-9]\d{0,15}$/, { error: `must be an integer of 1 to ${max}` })
    .transform(Number)
    .refine((value) => value <= max, { error: `must be an integer of 1 to ${max}` })
    .openapi({ type: 'integer', minimum: 1, maximum: max });
}

/** Path of every operation on one issue. */
export const IssuePath = z.object({ id: IssueId });

/** Query of the operations that can return an older version; the default is the newest. */
export const VersionQuery = z.object({ version: integerParameter(Number.MAX_SAFE_INTEGER).optional() });
