import type { z } from 'zod';

/**
 * What a window or a button of ours remembers as JSON. Its text went to Slack and came back: `null` for what is not (or
 * no longer) written so.
 */
export function remembers<T>(schema: z.ZodType<T>, text: unknown): T | null {
  if (typeof text !== 'string') return null;
  try {
    const read = schema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
