import type { Block } from '../entities.ts';
import { LIMITS } from '../limits.ts';

/** A text as Slack stores it: anything but `mrkdwn`, which the sender has escaped, gets its entities. */
function stored(text: string, isEscaped: boolean): number {
  return isEscaped ? text.length : text.replaceAll('&', '&amp;').replace(/[<>]/g, '&lt;').length;
}

/** The characters of every `text` below a value. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textLength(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const isEscaped = 'type' in value && value.type === 'mrkdwn';
  return Object.entries(value).reduce(
    (sum, [key, item]) =>
      sum + (key === 'text' && typeof item === 'string' ? stored(item, isEscaped) : textLength(item)),
    0,
  );
}

/** A `markdown` block becomes several, a header for each of its headings. */
function headings({ type, text }: Block): number {
  if (type === 'header') return 1;
  if (type !== 'markdown' || typeof text !== 'string') return 0;
  return text.match(/^ {0,3}#{1,6} /gm)?.length ?? 0;
}

/** What the blocks of a message count towards `LIMITS.messageBlocksLength`. */
export function messageLength(blocks: readonly Block[]): number {
  const headers = blocks.reduce((sum, block) => sum + headings(block), 0);
  return textLength(blocks) + headers * LIMITS.headerExtra;
}

/** The characters of all cells of a table together. */
export function tableLength({ rows }: Block): number {
  return textLength(rows);
}

/** The characters of all `markdown` blocks together, as sent. */
export function markdownLength(blocks: readonly Block[]): number {
  return blocks.reduce(
    (sum, { type, text }) => sum + (type === 'markdown' && typeof text === 'string' ? text.length : 0),
    0,
  );
}
