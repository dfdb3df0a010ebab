import type { KnownBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { Decision } from '../../store/alerts.ts';
import type { Reason } from '../../store/reasons.ts';
import { reasonWords } from '../alerts/reasons.ts';
import { date } from '../dates.ts';
import { clean, literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { limits } from '../limits.ts';
import { link } from '../links.ts';
import { context, inSections, type Rendered, section } from '../rendered.ts';
import { dataTable, linkPart, parts, type Row, rowCost, timePart, withTable, words } from '../table.ts';
import { SIMULATED } from '../words.ts';

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

const MAX_TITLE = 60;
const MAX_TOOL = 30;
const MAX_READ = 36;
const MAX_REASON = 96;
/** Of a row in words, beside what its cells say: its date and decision. */
const REST = 90;
/** Rows that Slack shows at once; people page through the others. */
const PAGE_ROWS = 20;
const HEAD = ['Message', 'Tool', 'Read as', 'Decision', 'Reason', 'Issue'];

/** The answer of `/gumshoe dry-run`, in as many messages as Slack's limits require, newest message first. */
export function renderDryRun(view: DryRunView): Rendered[] {
  if (view.rows.length === 0) return [fitMessage({ text: NOTHING, blocks: [section(NOTHING)] })];
  const totals = totalsOf(view);
  const intro: KnownBlock[] = [...(view.simulated ? [context(SIMULATED)] : []), section(totals)];
  const pages = paged([...view.rows].reverse().map(rowOf));
  return pages.map((page, index) =>
    withTable(index === 0 ? totals : `Dry run, part ${index + 1} of ${pages.length}`, {
      before: index === 0 ? intro : [],
      table: [dataTable('What would happen to each message', HEAD, page, { pageRows: PAGE_ROWS })],
      instead: inSections(page.map(({ line }) => line)),
    }),
  );
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
  if (before > 0) numbers.unshift(`${before} already filed`);
  return [
    `*Dry run over the ${rows.length === 1 ? 'last message' : `last ${rows.length} messages`}, with the current settings*: ${numbers.join(', ')}. The dry run itself files nothing.`,
    ...(watched
      ? []
      : [
          'This channel is not watched yet, so this uses the default settings. `/gumshoe watch` turns it on.',
        ]),
    ...(paused ? ['Filing is currently paused; this ignores the pause.'] : []),
  ].join('\n');
}

function paged(rows: readonly Row[]): Row[][] {
  const pages: Row[][] = [];
  let room = 0;
  for (const row of rows) {
    const cost = rowCost(row.cells) + REST;
    const page = pages.at(-1);
    if (page && page.length < limits.tableRows && cost <= room) {
      page.push(row);
      room -= cost;
    } else {
      pages.push([row]);
      room = limits.tableText - HEAD.join('').length - cost;
    }
  }
  return pages;
}

function rowOf(row: DryRunRow): Row {
  return {
    cells: [
      parts(
        timePart(row.at),
        { type: 'text', text: ' ' },
        linkPart(row.url, row.title || 'message', MAX_TITLE),
      ),
      words(row.tool ?? '', MAX_TOOL),
      words(row.read, MAX_READ),
      words(decisionOf(row)),
      words(reasonWords(row.reason), MAX_REASON),
      words(row.issue ?? ''),
    ],
    line: lineOf(row),
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
