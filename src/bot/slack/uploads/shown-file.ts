import type { Aggregates } from '../../store/open.ts';

/** A picture that Slack can show. */
export interface ShownFile {
  fileId: string;
  /** Alt text; untrusted. */
  alt: string;
}

/** The picture for a key, if Slack can show it; otherwise the text form stays. */
export async function fileFor({ files }: Pick<Aggregates, 'files'>, key: string): Promise<ShownFile | null> {
  const file = await files.get(key);
  if (file?.state !== 'ready' || file.fileId === null) return null;
  return { fileId: file.fileId, alt: file.alt ?? '' };
}
