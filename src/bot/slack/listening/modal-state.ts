import { z } from 'zod';

/** The private metadata of modals about an issue. */
export const AboutIssue = z.object({ issueId: z.string(), channel: z.string() });

/** A modal's input values, by block and element. */
export const ChosenValues = z.record(
  z.string(),
  z.record(
    z.string(),
    z.looseObject({
      value: z.string().nullish(),
      selected_option: z.looseObject({ value: z.string() }).nullish(),
    }),
  ),
);

/**
 * Parses the JSON that we stored in a modal or a button. It went through Slack, so it is untrusted: `null` if it does not
 * (or no longer) match the schema.
 */
export function readModalState<T>(schema: z.ZodType<T>, text: unknown): T | null {
  if (typeof text !== 'string') return null;
  try {
    const read = schema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
