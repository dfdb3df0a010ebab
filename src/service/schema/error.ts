import { z } from '@hono/zod-openapi';

/** Contract, section 7: the body of every failure. */
export const ErrorBody = z
  .object({
    type: z.enum(['api_error', 'invalid_request_error', 'authentication_error']),
    message: z.string(),
    request_id: z.string(),
    details: z.record(z.string(), z.string()).optional(),
  })
  .openapi('ErrorBody');
export type ErrorBody = z.infer<typeof ErrorBody>;
