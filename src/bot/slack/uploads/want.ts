import { z } from 'zod';
import type { Aggregates } from '../../store/open.ts';

/** What a picture shows, by what is in the store. */
export const What = z.union([
  z.object({ picture: z.literal('graph'), issue: z.string(), version: z.number() }),
  z.object({ picture: z.literal('chart'), owner: z.string(), artifact: z.string() }),
]);
export type What = z.infer<typeof What>;

/** A picture that Slack can show. */
export interface ShownFile {
  fileId: string;
  /** What is to be seen, in words; untrusted. */
  alt: string;
}

/**
 * Asks for a picture, once for each key. It is drawn and uploaded beside everything else; `shownBy`, a key of the
 * outbox, is edited when Slack can show it.
 */
export async function wantFile(
  { files }: Pick<Aggregates, 'files'>,
  wanted: { key: string; issueId: string | null; what: What; shownBy?: string; at: number },
): Promise<void> {
  const { what, shownBy = null, ...rest } = wanted;
  await files.want({ ...rest, shownBy, what: JSON.stringify(what) });
}

/** The picture of a key, where Slack can show it by now; else the text form stands. */
export async function fileFor({ files }: Pick<Aggregates, 'files'>, key: string): Promise<ShownFile | null> {
  const file = await files.get(key);
  if (file?.state !== 'ready' || file.fileId === null) return null;
  return { fileId: file.fileId, alt: file.alt ?? '' };
}

/** The key of an investigation's causal graph. */
export function graphKey(issueId: string, version: number): string {
  return `graph:${issueId}:${version}`;
}
