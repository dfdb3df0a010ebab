import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorBody } from '../schema/error.ts';

/** A failure whose message is sent to the caller (contract, section 7). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: ContentfulStatusCode;
  readonly type: ErrorBody['type'];
  readonly details: Record<string, string> | undefined;

  constructor(
    status: ContentfulStatusCode,
    type: ErrorBody['type'],
    message: string,
    options: { details?: Record<string, string> | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.type = type;
    this.details = options.details;
  }
}

/** 400: the request cannot be understood; `details` says which field. */
export function invalid(message: string, details?: Record<string, string>): ApiError {
  return new ApiError(400, 'invalid_request_error', message, { details });
}

/** 404, with the same wording whether it does not exist or belongs to another organisation. */
export function notFound(what: string): ApiError {
  return new ApiError(404, 'invalid_request_error', `${what} was not found`);
}

/** 400 for a zod error, with the first complaint for each field. */
export function invalidFields(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): ApiError {
  const details: Record<string, string> = {};
  for (const issue of issues) details[issue.path.map(String).join('.') || 'body'] ??= issue.message;
  return invalid(`Invalid request: ${Object.keys(details).join(', ')}`, details);
}

/** Answers with the error body; errors that are not the caller's fault are not explained to it. */
export function respondWithError(c: Context, error: Error, requestId: string): Response {
  const known = knownError(error);
  const body: ErrorBody = {
    type: known.type,
    message: known.message,
    request_id: requestId,
    ...(known.details && { details: known.details }),
  };
  return c.json(body, known.status);
}

function knownError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status === 415)
    return new ApiError(
      415,
      'invalid_request_error',
      'The request body must be JSON (Content-Type: application/json)',
    );
  if (error instanceof HTTPException && error.status < 500) return invalid(error.message);
  return new ApiError(500, 'api_error', 'Internal error; look up this request_id in the service log');
}
