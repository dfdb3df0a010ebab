import { z } from 'zod';

/** What the modals about an issue remember. */
export const AboutIssue = z.object({ issueId: z.string(), channel: z.string() });

/** What was typed or chosen in a modal, by block and element. */
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
 * What a modal or a button of ours remembers as JSON. Its text went to Slack and came back: `null` for what is not (or
 * no longer) written so.
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
