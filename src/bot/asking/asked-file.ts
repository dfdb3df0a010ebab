import { z } from 'zod';

/** A file that somebody attached to a question, as Slack describes it. Its words and its address are untrusted. */
export const AskedFile = z.object({
  id: z.string(),
  name: z.string(),
  mimetype: z.string(),
  /** Slack's own name of the kind, e.g. `python`, `text`, `png`. */
  filetype: z.string(),
  /** Bytes. */
  size: z.number(),
  /** `null` if Slack tells of none. */
  url: z.string().nullable(),
});
export type AskedFile = z.infer<typeof AskedFile>;

/** Reads the `files` column of a question. */
export function readAskedFiles(json: string): AskedFile[] {
  return z.array(AskedFile).parse(JSON.parse(json));
}
