import { z } from 'zod';

/**
 * A date-time in UTC as the service writes it (contract, section 2): seconds and their fraction may be
 * missing. It stays a string, so that nothing of the fraction is lost.
 */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/u);

/** A version or an issue's number: 1 to 9007199254740991. */
export const PositiveInteger = z.int().min(1);

/** A count: 0 to 9007199254740991. */
export const Count = z.int().min(0);

/** What names an issue in a path, or a place in the list. The service's ids pass whatever their form. */
export const IssueId = z.string().min(1);

/** One of the values the contract names, or any other string: a newer service may know more. */
export type OpenEnum<Known extends string> = Known | (string & Record<never, never>);

/** Accepts any string; the type offers the values that the contract names. */
export function openEnum<const Known extends string>(
  known: readonly [Known, ...Known[]],
): z.ZodType<OpenEnum<Known>, string> {
  return z.union([z.enum(known), z.string()]);
}
