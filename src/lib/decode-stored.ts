import type { z } from 'zod';

/** Decodes stored JSON; `null` if it is damaged, or was written by a version with another schema. */
export function decodeStored<T>(schema: z.ZodType<T>, json: string): T | null {
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
