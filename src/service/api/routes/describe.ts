import type { z } from '@hono/zod-openapi';
import { ErrorBody } from '../../schema/error.ts';

const FAILURES = {
  400: 'The request is not valid',
  401: 'A valid API key is required',
  403: 'The key may not do this (this service lets every key do everything)',
  404: 'Not found in your organisation',
  413: 'The body is larger than 1 MB',
  415: 'The body is not JSON',
  429: 'The key has made too many requests',
  500: 'The service failed',
} as const;

const error = { 'application/json': { schema: ErrorBody } };

/** A JSON body of this shape in a route's description. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return { 'application/json': { schema } };
}

/** The failures of an operation, besides those that every operation has. */
export function failures(...more: (404 | 415)[]) {
  const statuses = [400, 401, 403, ...more, 413, 429, 500] as const;
  return Object.fromEntries(
    statuses.map((status) => [status, { description: FAILURES[status], content: error }]),
  );
}
