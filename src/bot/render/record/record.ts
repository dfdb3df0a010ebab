import type { KnownBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { channelMention, clean, literal, quoted } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { link } from '../links.ts';
import { context, inSections, type Rendered, section } from '../rendered.ts';
import { dataTable, issueCell, number, parts, type Row, timePart, withTable, words } from '../table.ts';
import { count, SIMULATED } from '../words.ts';

interface TallyView {
  right: number;
  nearly: number;
  wrong: number;
  unknown: number;
}

type SourceView = 'said' | 'came_true' | 'looks_like';

/** Verdicts with one confidence; each counts once, by the first source that knows. */
export interface RecordLineView {
  /** Untrusted. */
  confidence: string;
  all: number;
  fates: TallyView;
  sources: Record<SourceView, TallyView>;
}

interface MissView {
  number: IssueNumber | null;
  /** Untrusted. */
  title: string;
  confidence: string;
  source: SourceView | null;
  at: number;
  url: string | null;
}

export interface RecordPageView {
  lines: readonly RecordLineView[];
  /** The newest first. */
  misses: readonly MissView[];
  place: { channel: string } | { channels: number };
  simulated: boolean;
}

const MOST_MISSES = 10;
const MAX_TITLE = 120;

/** The answer of `/gumshoe record`: the misses first, then how often each confidence was right. */
export function renderRecord({ lines, misses, place, simulated }: RecordPageView): Rendered {
  const where =
    'channel' in place
      ? channelMention(place.channel)
      : `${count(place.channels, 'channel')} that you can read`;
  const all = lines.reduce((sum, line) => sum + line.all, 0);
  if (all === 0) {
    const nothing = `No verdict in ${where} yet. After an issue is resolved, its card asks once whether the root cause was right.`;
    return fitMessage({ text: nothing, blocks: [section(nothing)] });
  }
  const head = `*My record in ${where}*: ${count(all, 'verdict')}`;
  const shown = misses.slice(0, MOST_MISSES);
  const wrong = `Wrong${misses.length > shown.length ? `, the newest ${shown.length} of ${misses.length}` : ''}`;
  const missRows = shown.map(missRow);
  const rows = lines.map(recordRow);
  const ofMisses = missRows.length === 0 ? [] : [dataTable(wrong, MISS_HEAD, missRows)];
  return withTable(head, {
    before: [...(simulated ? [context(SIMULATED)] : []), section(head)],
    table: [...ofMisses, dataTable('Verdicts by confidence', RECORD_HEAD, rows, { beside: ofMisses })],
    instead: inSections([
      ...(missRows.length === 0 ? [] : [`*${wrong}*`, ...missRows.map(({ line }) => line)]),
      ...rows.map(({ line }) => line),
    ]),
    after: [
      context(
        '_Answered_: somebody said so on the card. _Prediction_: what the verdict predicted came true, or did not. _Step done_: a step was ticked, and the issue was resolved after it; nobody said more. _Unknown_: none of these. Where a confidence is wrong too often, it is lowered.',
      ),
    ],
  });
}

const RECORD_HEAD = ['Confidence', 'Verdicts', 'Right', 'Nearly', 'Wrong', 'Unknown', 'Known by'];
const MISS_HEAD = ['Issue', 'Confidence', 'When', 'Known by'];

function recordRow(line: RecordLineView): Row {
  const { all, fates } = line;
  return {
    cells: [
      words(line.confidence),
      ...[all, fates.right, fates.nearly, fates.wrong, fates.unknown].map(number),
      words(
        knownBy(line)
          .map(([name, tally]) => `${name}: ${inWords(tally)}`)
          .join('; '),
      ),
    ],
    line: lineOfRecord(line),
  };
}

/** The same in a digest: a line for each confidence. */
export function recordInDigest(lines: readonly RecordLineView[]): KnownBlock[] {
  const known = lines.filter(({ all, fates }) => all > fates.unknown);
  return known.length === 0
    ? []
    : [section(['*Verdicts*', ...known.map((line) => `• ${summaryOf(line)}`)].join('\n'))];
}

/** What became of the verdicts with one confidence, and how that is known. */
export function lineOfRecord(line: RecordLineView): string {
  const by = knownBy(line).map(([name, tally]) => `_${name}_: ${inWords(tally)}`);
  return [`*${summaryOf(line)}*`, ...by].join('\n');
}

function knownBy({ sources }: RecordLineView): [string, TallyView][] {
  const { said, came_true: cameTrue, looks_like: looksLike } = sources;
  const all: [string, TallyView][] = [
    ['answered', said],
    ['prediction', cameTrue],
    ['step done', looksLike],
  ];
  return all.filter(([, tally]) => sum(tally) > 0);
}

/** `17 with confidence high: 14 right, 1 nearly, 1 wrong, 1 unknown`. */
function summaryOf({ confidence, all, fates }: RecordLineView): string {
  return `${all} with confidence ${quoted(confidence, 40)}: ${inWords(fates)}`;
}

function inWords(tally: TallyView): string {
  return (['right', 'nearly', 'wrong', 'unknown'] as const)
    .filter((fate) => tally[fate] > 0)
    .map((fate) => `${tally[fate]} ${fate}`)
    .join(', ');
}

function sum({ right, nearly, wrong, unknown }: TallyView): number {
  return right + nearly + wrong + unknown;
}

function missRow({ number: of, title, confidence, source, at, url }: MissView): Row {
  const name = cutAtWord(oneLine(clean(title)), MAX_TITLE);
  const label = of === null ? name : `#${of} ${name}`;
  const how = source === 'came_true' ? 'its prediction did not come true' : 'somebody said so';
  return {
    cells: [issueCell(`#${of ?? '…'}`, name, url), words(confidence), parts(timePart(at)), words(how)],
    line: `• ${url === null ? literal(label) : link(url, label)} · ${literal(oneLine(confidence))} · ${date(at)} · ${how}`,
  };
}

export function usageRecord(): Rendered {
  return notice('`/gumshoe record`, `/gumshoe record #channel` or `/gumshoe record all`.');
}

/** Somebody pressed an answer. */
export function recordKept(): Rendered {
  return notice('Thank you, that is in the record: `/gumshoe record`.');
}

/** Somebody else, or the same person, has answered before. */
export function recordTaken(): Rendered {
  return notice('Somebody has answered already, and the first answer counts.');
}
