import { z } from 'zod';

const slackFile = z.union([
  z.object({ id: z.string() }).transform(({ id }) => id),
  z.object({ url: z.string() }).transform(({ url }) => /[-/](F[A-Z0-9]{8,})\//.exec(url)?.[1] ?? null),
]);

// The server takes 4 MiB of JSON at once, in which three bytes are four characters.
const LARGEST_BYTES = 3_000_000;

/** Where the page's server serves a file. */
export function fileAddress(id: string): string {
  return `/page-api/files/${encodeURIComponent(id)}`;
}

/** The address of the image that a `slack_file` refers to; `null` if there is none. */
export function slackFileAddress(file: unknown): string | null {
  const id = slackFile.safeParse(file).data ?? null;
  return id === null ? null : fileAddress(id);
}

/** A size as people say it: `512 bytes`, `1.2 kB`, `30 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const isLarge = bytes >= 999_500;
  const amount = bytes / (isLarge ? 1_000_000 : 1000);
  return `${amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${isLarge ? 'MB' : 'kB'}`;
}

/** Why these files cannot be sent together, as a sentence; `null` if they can. */
export function tooLarge(files: readonly { size: number }[]): string | null {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= LARGEST_BYTES) return null;
  const what = files.length === 1 ? 'This file is' : 'Together, these files are';
  return `${what} ${sizeWords(bytes)}. This workspace accepts ${sizeWords(LARGEST_BYTES)} per message: send ${files.length === 1 ? 'a smaller one' : 'fewer or smaller ones'}.`;
}
