import type { Aggregates } from '../../store/open.ts';

/** A picture that Slack can show. */
export interface ShownFile {
  fileId: string;
  /** What is to be seen, in words; untrusted. */
  alt: string;
}

/** The picture of a key, where Slack can show it by now; else the text form stands. */
export async function fileFor({ files }: Pick<Aggregates, 'files'>, key: string): Promise<ShownFile | null> {
  const file = await files.get(key);
  if (file?.state !== 'ready' || file.fileId === null) return null;
  return { fileId: file.fileId, alt: file.alt ?? '' };
}
