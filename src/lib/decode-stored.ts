import type { z } from 'zod';

/** Something that is kept as JSON; `null` where it was damaged, or is of a version that this one does not know. */
export function decodeStored<T>(schema: z.ZodType<T>, json: string): T | null {
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
