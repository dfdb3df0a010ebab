import type { z } from 'zod';
import { UnsendableError } from './errors.ts';

/**
 * Holds what is about to be sent against its schema, so that a bound of the contract (section 8) is told by
 * name and without a request. Throws `UnsendableError` with every field that is outside.
 */
export function assertSendable<S extends z.ZodType>(operation: string, schema: S, input: z.input<S>): void {
  const result = schema.safeParse(input);
  if (result.success) return;
  const problems = result.error.issues.map(({ path, message }) => [path.map(String).join('.'), message]);
  throw new UnsendableError({ operation, details: Object.fromEntries(problems) });
}
