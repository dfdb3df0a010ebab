import { z } from 'zod';
import { openEnum } from './primitives.ts';

/** The error types that the contract names (section 7). */
export const ERROR_TYPES = ['api_error', 'invalid_request_error', 'authentication_error'] as const;

/** Contract, section 7: the body of every failure; `details` maps a field to what is wrong with it. */
export const ErrorBody = z.looseObject({
  type: openEnum(ERROR_TYPES),
  message: z.string(),
  request_id: z.string(),
  details: z.record(z.string(), z.string()).optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
