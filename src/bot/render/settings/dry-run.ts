import type { DataTableBlock, KnownBlock, RawTextElement, RichTextBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { Decision } from '../../store/alerts.ts';
import type { Reason } from '../../store/reasons.ts';
import { reasonWords } from '../alerts/reasons.ts';
import { date } from '../dates.ts';
import { clean, escapeControls, label, literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { limits } from '../limits.ts';
import { link, safeUrl } from '../links.ts';
import { pack } from '../pack.ts';
import { context, type Rendered, section } from '../rendered.ts';
import { count, SIMULATED } from '../words.ts';

/** One message of a dry run; all texts are untrusted. */
export interface DryRunRow {
  /** Milliseconds since 1970. */
  at: number;
  title: string;
  url: string;
  tool: string | null;
  /** What it was understood to report; empty if it is no alert. */
  read: string;
  decision: Decision;
  /** Filed when it came. */
  before: boolean;
  reason: Reason;
  /** `#12`, `new 1`; `null` for none. */
  issue: string | null;
}

export interface DryRunView {
  rows: DryRunRow[];
  /** Whether the channel is watched; else the rows show what its default settings would do. */
  watched: boolean;
  paused: boolean;
  simulated: boolean;
}

/** The same twice: as tables, and as text in case Slack does not accept tables. */
export interface DryRunMessages {
  tables: Rendered[];
  words: Rendered[];
}

const MAX_TITLE = 60;
const MAX_TOOL = 30;
const MAX_READ = 36;
const MAX_REASON = 96;
/** A date, a decision, and dashes. */
const REST = 60;
const MAX_MESSAGES = 8;
/** Rows that Slack shows at once; people page through the others. */
const PAGE_ROWS = 20;
const HEAD = ['Message', 'Tool', 'Read as', 'Decision', 'Reason', 'Issue'];

/** The answer of `/gumshoe dry-run`, in as many messages as Slack's limits require, newest message first. */
export function renderDryRun(view: DryRunView): DryRunMessages {
  const rows = [...view.rows].reverse();
  if (rows.length === 0) {
    const nothing = fitMessage({ text: NOTHING, blocks: [section(NOTHING)] });
    return { tables: [nothing], words: [nothing] };
  }
  const totals = totalsOf(view);
  const intro: KnownBlock[] = [...(view.simulated ? [context(SIMULATED)] : []), section(totals)];
  const tables = paged(rows).map((page, index) => [...(index === 0 ? intro : []), tableOf(page)]);
  const words = pack([...intro, ...rows.map((row) => section(lineOf(row)))], MAX_MESSAGES);
  return { tables: numbered(tables, totals), words: numbered(words, totals) };
}

function numbered(messages: readonly KnownBlock[][], totals: string): Rendered[] {
  return messages.map((blocks, index) => {
    const part = `Dry run, part ${index + 1} of ${messages.length}`;
    return fitMessage({ text: index === 0 ? totals : part, blocks });
  });
}

const NOTHING = 'There are no messages here from tools or people for me to check.';

/** In a row, and with a number before it: one, and more. */
const DECISIONS: Record<Decision, [cell: string, one: string, more: string]> = {
  filed: ['filed', 'would be filed', 'would be filed'],
  repeat: ['repeat', 'repeat', 'repeats'],
  recovered: ['recovery', 'recovery', 'recoveries'],
  held: ['held', 'held', 'held'],
  ignored: ['not filed', 'not filed', 'not filed'],
  not_an_alert: ['no alert', 'without an alert', 'without an alert'],
};

function totalsOf({ rows, watched, paused }: DryRunView): string {
  const numbers = Object.entries(DECISIONS).flatMap(([decision, [, one, more]]) => {
    const n = rows.filter((row) => row.decision === decision && !row.before).length;
    return n === 0 ? [] : [`${n} ${n === 1 ? one : more}`];
  });
  const before = rows.filter((row) => row.before).length;
  if (before > 0) numbers.unshift(`${before} filed already`);
  return [
    `*Dry run over the last ${count(rows.length, 'message')}, with the current settings*: ${numbers.join(', ')}. The dry run itself files nothing.`,
    ...(watched
      ? []
      : [
          'This channel is not watched yet, so this uses the default settings. `/gumshoe watch` turns it on.',
        ]),
    ...(paused ? ['Filing is currently paused; this ignores the pause.'] : []),
  ].join('\n');
}

function paged(rows: readonly DryRunRow[]): DryRunRow[][] {
  const pages: DryRunRow[][] = [];
  let room = 0;
  for (const row of rows) {
    const cost = costOf(row);
    const page = pages.at(-1);
    if (page && page.length < limits.tableRows - 1 && cost <= room) {
      page.push(row);
      room -= cost;
    } else {
      pages.push([row]);
      room = limits.tableText - HEAD.join('').length - cost;
    }
  }
  return pages;
}

/** A row's size as Slack stores it, including its link and its date, to be safe. */
function costOf({ title, url, tool, read, reason, issue }: DryRunRow): number {
  const texts = [
    plain(title, MAX_TITLE),
    url,
    plain(tool ?? '', MAX_TOOL),
    plain(read, MAX_READ),
    plain(reasonWords(reason), MAX_REASON),
    issue ?? '',
  ];
  return escapeControls(texts.join('')).length + REST;
}

function tableOf(rows: readonly DryRunRow[]): DataTableBlock {
  return {
    type: 'data_table',
    caption: 'What would become of each message',
    page_size: PAGE_ROWS,
    rows: [HEAD.map(raw), ...rows.map(cellsOf)],
  };
}

function cellsOf(row: DryRunRow): DataTableBlock['rows'][number] {
  return [
    messageCell(row),
    raw(plain(row.tool ?? '', MAX_TOOL)),
    raw(plain(row.read, MAX_READ)),
    raw(decisionOf(row)),
    raw(plain(reasonWords(row.reason), MAX_REASON)),
    raw(row.issue ?? ''),
  ];
}

// Slack demands a character in each cell.
function raw(text: string): RawTextElement {
  return { type: 'raw_text', text: label(text) || '–' };
}

/** The texts of a `rich_text` block are literal by their structure. */
function messageCell({ at, title, url }: DryRunRow): RichTextBlock {
  const words = label(plain(title, MAX_TITLE)) || 'message';
  const href = safeUrl(url);
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          {
            type: 'date',
            timestamp: Math.floor(at / 1000),
            format: '{time} {date_short_pretty}',
            fallback: new Date(at).toISOString().slice(0, 16),
          },
          { type: 'text', text: ' ' },
          href === null ? { type: 'text', text: words } : { type: 'link', url: href, text: words },
        ],
      },
    ],
  };
}

function lineOf(row: DryRunRow): string {
  const title = link(row.url, plain(row.title, MAX_TITLE) || 'message');
  const tool = row.tool === null ? '' : ` · ${literal(plain(row.tool, MAX_TOOL))}`;
  const read = row.read === '' ? '' : ` (${literal(plain(row.read, MAX_READ))})`;
  const issue = row.issue === null ? '' : ` · ${literal(row.issue)}`;
  return `${date(row.at)} ${title}${tool}${read}\n*${decisionOf(row)}*${issue}: ${literal(plain(reasonWords(row.reason), MAX_REASON))}`;
}

function decisionOf({ decision, before, issue }: DryRunRow): string {
  if (before) return issue === null ? 'filed before' : `filed as ${issue}`;
  return DECISIONS[decision][0];
}

function plain(text: string, max: number): string {
  return cutAtWord(oneLine(clean(text)), max);
}
