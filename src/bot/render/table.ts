import type { DataTableBlock, KnownBlock, RichTextElement } from '@slack/types';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { utc } from './dates.ts';
import { clean, label } from './escape.ts';
import { fitMessage } from './fit.ts';
import { limits } from './limits.ts';
import { looksLikeAddress, safeUrl } from './links.ts';
import { blockCost, messageCost } from './measure.ts';
import { inReadersTime } from './readers-time.ts';
import type { Rendered } from './rendered.ts';

export type Cell = DataTableBlock['rows'][number][number];

/** One row: the same as cells, the first of which names it, and in safe mrkdwn for a workspace that takes no tables. */
export interface Row {
  cells: readonly Cell[];
  line: string;
}

const MAX_TEXT = 200;
/** What a cell says that has nothing to say. */
export const NOTHING = '–';
const READERS_TIME = /<!date\^(\d+)\^\{time\}\|([^>]*)>/u;

/** Untrusted words; Slack reads nothing in them, and demands at least one character. */
export function words(text: string, max = MAX_TEXT): Cell {
  return { type: 'raw_text', text: plain(text, max) || NOTHING };
}

/** A number, which sorts as one. */
export function number(value: number): Cell {
  return { type: 'raw_number', value, text: String(value) };
}

/** Parts side by side, such as a link and a time. */
export function parts(...elements: RichTextElement[]): Cell {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** Untrusted words of a cell with more than one part. */
function textPart(text: string, max = MAX_TEXT): RichTextElement {
  return { type: 'text', text: plain(text, max) || NOTHING };
}

/** A link, or its words alone where the address cannot be followed. Both are untrusted. */
export function linkPart(url: string | null, text: string, max = MAX_TEXT): RichTextElement {
  const href = url === null ? null : safeUrl(url);
  if (href === null) return textPart(text, max);
  const shown = plain(text, max);
  return { type: 'link', url: href, text: shown === '' || looksLikeAddress(shown) ? href : shown };
}

/** `#7 Checkout is slow`, of which the number is the link. The title is untrusted. */
export function issueCell(issue: string, title: string, url: string | null): Cell {
  return parts(linkPart(url, issue), { type: 'text', text: ' ' }, textPart(title));
}

/** A moment in the reader's own time zone, in milliseconds since the epoch. */
export function timePart(at: number): RichTextElement {
  const fallback = utc(at);
  if (!/\d/u.test(fallback)) return textPart(fallback);
  return {
    type: 'date',
    timestamp: Math.floor(at / 1000),
    format: '{time} {date_short_pretty}',
    fallback,
  };
}

/** Untrusted words in which each time in UTC is shown in the reader's own zone. */
export function timedWords(text: string, near: number): Cell {
  const pieces = inReadersTime(plain(text, MAX_TEXT), near).split(READERS_TIME);
  if (pieces.length === 1) return words(text);
  const elements = pieces.flatMap((piece, index): RichTextElement[] => {
    if (index % 3 === 1)
      return [
        { type: 'date', timestamp: Number(piece), format: '{time}', fallback: pieces[index + 1] ?? piece },
      ];
    return index % 3 === 2 || piece === '' ? [] : [{ type: 'text', text: piece }];
  });
  return parts(...elements);
}

/**
 * A table in Slack's own block, with as many rows as it takes. The caption and the first cell of each row are what screen
 * readers name it by; the caption is untrusted.
 *
 * @param beside in the same message: they share what Slack takes
 */
export function dataTable(
  caption: string,
  head: readonly string[],
  rows: readonly Row[],
  { pageRows = 10, beside = [] }: { pageRows?: number; beside?: readonly DataTableBlock[] } = {},
): DataTableBlock {
  const table: DataTableBlock = {
    type: 'data_table',
    caption: plain(caption, MAX_TEXT) || 'Table',
    page_size: pageRows,
    row_header_column_index: 0,
    rows: [head.map((name) => words(name))],
  };
  let room = limits.tableText - messageCost([table, ...beside]);
  for (const { cells } of rows.slice(0, limits.tableRows)) {
    room -= rowCost(cells);
    if (room < 0) break;
    table.rows.push([...cells]);
  }
  return table;
}

export function rowCost(cells: readonly Cell[]): number {
  return blockCost({ type: 'data_table', caption: '', rows: [[...cells]] });
}

/** A message with a table, and with lines in its place where Slack does not accept tables. */
export function withTable(
  text: string,
  {
    before,
    table,
    instead,
    after = [],
  }: Record<'before' | 'instead', KnownBlock[]> & {
    table: readonly DataTableBlock[];
    after?: readonly KnownBlock[];
  },
): Rendered {
  return {
    ...fitMessage({ text, blocks: [...before, ...table, ...after] }),
    plainer: fitMessage({ text, blocks: [...before, ...instead, ...after] }).blocks,
  };
}

function plain(text: string, max: number): string {
  return label(cutAtWord(oneLine(clean(text)), max));
}
