import type { z } from 'zod';
import { UnsendableError } from './errors.ts';

/**
 * Checks a request against its schema, so that a limit of the contract (section 8) is reported by name, without a
 * request. Throws `UnsendableError` with every invalid field.
 */
export function assertSendable<S extends z.ZodType>(operation: string, schema: S, input: z.input<S>): void {
  const result = schema.safeParse(input);
  if (result.success) return;
  const problems = result.error.issues.map(({ path, message }) => [path.map(String).join('.'), message]);
  throw new UnsendableError({ operation, details: Object.fromEntries(problems) });
}
