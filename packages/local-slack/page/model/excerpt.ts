import { z } from 'zod';
import type { PageMessage } from '../../src/page-api.ts';
import { plainText } from './plain.ts';

const LONGEST = 80;

const titled = z.object({
  title: z.string().optional().catch(undefined),
  fallback: z.string().optional().catch(undefined),
  text: z.string().optional().catch(undefined),
});

/** A message in one line of at most 80 characters, without markup: its text, else its first attachment's or file's title. */
export function excerptOf({ text, attachments = [], files = [] }: PageMessage): string {
  const [first] = attachments.map((attachment) => titled.safeParse(attachment).data);
  const words = [text, first?.title, first?.fallback, first?.text, files[0]?.title].find((candidate) =>
    candidate?.trim(),
  );
  const line = plainText(words ?? 'a message')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= LONGEST) return line;
  const space = line.lastIndexOf(' ', LONGEST);
  return `${line.slice(0, space > LONGEST / 2 ? space : LONGEST - 1)}…`;
}
