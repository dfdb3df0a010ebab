import { ZodError } from 'zod';
import { ServiceError, UnsendableError } from './errors.ts';

/** Statuses that pass, or that an operator mends: a key, a right, an address. */
const GO_ON_AFTER = [401, 403, 404, 408, 409, 425, 429];

/** Whether the service will never take this request, however often it is sent. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof UnsendableError || error instanceof ZodError) return true;
  if (!(error instanceof ServiceError) || error.status === null) return false;
  return error.status >= 400 && error.status < 500 && !GO_ON_AFTER.includes(error.status);
}
