import type { KnownBlock, RichTextBlock } from '@slack/types';
import type { Artifact } from '../../../contract/answers.ts';
import { isJsonObject } from '../../../lib/json.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { differing, type Point, readMetric, type Series } from '../charts/metric.ts';
import { type Measure, measureOf, written } from '../charts/units.ts';
import { date } from '../dates.ts';
import { bold, cutEscaped } from '../escape.ts';
import { body, code } from '../links.ts';
import { context, inSections, preformatted } from '../rendered.ts';
import { passage, phrase, tags } from '../results/phrases.ts';
import { count } from '../words.ts';
import { clockTime, factLines, listAt, momentOf, recordsOf, textAt, times, without } from './facts.ts';

/** Log lines or spans. */
const MOST_ROWS = 40;

const ALERT_LEAD = [
  'title',
  'name',
  'summary',
  'status',
  'state',
  'severity',
  'priority',
  'service',
  'startedat',
  'triggeredat',
  'createdat',
  'resolvedat',
  'assignee',
  'description',
];
const CLUSTER_LEAD = [
  'kind',
  'namespace',
  'name',
  'metadata',
  'status',
  'phase',
  'reason',
  'message',
  'restarts',
  'restartcount',
  'node',
  'events',
];

/** What the data of a kind says; `null` if it has another form than the kind suggests. */
type Summary = (data: Record<string, unknown>) => KnownBlock[] | null;

interface Kind {
  /** Of a `type`, in lower case and letters only; the contract only lists `metric`. */
  types: readonly string[];
  /** What people call it. */
  name: string;
  summary: Summary;
}

const kinds: readonly Kind[] = [
  { types: ['metric', 'metrics'], name: 'metric', summary: metricBlocks },
  { types: ['log', 'logs'], name: 'logs', summary: logBlocks },
  { types: ['trace', 'traces', 'span', 'spans'], name: 'trace', summary: traceBlocks },
  {
    types: ['change', 'changes', 'deploy', 'deployment', 'code', 'commit', 'pullrequest', 'codechange'],
    name: 'change',
    summary: changeBlocks,
  },
  {
    types: ['alert', 'alerts', 'incident', 'incidents', 'monitor'],
    name: 'alert',
    summary: (data) => inSections(factLines(data, ALERT_LEAD)),
  },
  {
    types: ['kubernetes', 'k8s', 'cluster', 'pod', 'infrastructure', 'resource'],
    name: 'cluster',
    summary: (data) => inSections(factLines(data, CLUSTER_LEAD)),
  },
];

/** The `data` of an artifact (contract 2.8) in words, whatever its `type` and whatever it holds. */
export function summaryBlocks({ type, data = {} }: Artifact): KnownBlock[] {
  return kindOf(type)?.summary(data) ?? inSections(factLines(data));
}

/** What people call a kind of artifact; one that is not known by its own name. Untrusted. */
export function kindName(type: string | undefined): string {
  return kindOf(type)?.name ?? type ?? '';
}

function kindOf(type = ''): Kind | undefined {
  const word = type.toLowerCase().replace(/[^a-z\d]/gu, '');
  return kinds.find(({ types }) => types.includes(word));
}

const LOG_LISTS = ['lines', 'logs', 'entries', 'records', 'messages', 'events', 'hits'];
const WORDS = ['message', 'msg', 'body', 'text', 'line', 'log', 'content'];
const LEVELS = ['level', 'severity', 'severityText', 'status'];

/** Log lines with their times and levels; `null` if the data holds no list of them. */
function logBlocks(data: Record<string, unknown>): KnownBlock[] | null {
  const lines = listAt(data, LOG_LISTS);
  if (lines === null) return null;
  const more = lines.length - MOST_ROWS;
  return [
    ...inSections(factLines(without(data, LOG_LISTS))),
    ...codeLines(lines.slice(0, MOST_ROWS).map(logLine)),
    context(
      more > 0
        ? `The first ${MOST_ROWS} of ${count(lines.length, 'line')}; times in UTC`
        : `${count(lines.length, 'line')}; times in UTC`,
    ),
  ];
}

function logLine(line: unknown): string {
  if (!isJsonObject(line)) return typeof line === 'string' ? line : JSON.stringify(line);
  const words = textAt(line, WORDS);
  if (words === '') return JSON.stringify(line).slice(0, 2000);
  const before = [clockTime(line, times), textAt(line, LEVELS).toUpperCase().slice(0, 8)];
  return [...before.filter((part) => part !== ''), oneLine(words)].join(' ');
}

const SPAN_LISTS = ['spans', 'trace', 'traces', 'children'];
const IDS = ['spanId', 'span_id', 'spanID', 'id'];
const PARENTS = ['parentSpanId', 'parent_span_id', 'parentSpanID', 'parentId'];
const NAMES = ['operation', 'operationName', 'name', 'resource'];
const SERVICES = ['service', 'serviceName', 'service_name'];
const STARTS = ['at', 'start', 'startTime', 'startTimeUnixNano', ...times];
const DURATIONS = ['durationMs', 'duration_ms'];
const MOST_DEEP = 12;

type Span = Record<string, unknown>;

/** The spans of a trace below one another, each with its duration and error; `null` if the data holds none. */
function traceBlocks(data: Record<string, unknown>): KnownBlock[] | null {
  const list = listAt(data, SPAN_LISTS);
  const spans = recordsOf(list ?? []);
  if (spans.length === 0) return null;
  const rows = asTree(spans);
  const more = rows.length - MOST_ROWS;
  return [
    ...inSections(factLines(without(data, SPAN_LISTS))),
    ...codeLines(rows.slice(0, MOST_ROWS).map(({ span, depth }) => rowOf(span, depth))),
    context(
      more > 0 ? `The first ${MOST_ROWS} of ${count(rows.length, 'span')}` : count(rows.length, 'span'),
    ),
  ];
}

/** Each span once, children below their parents, in order of time. */
function asTree(spans: readonly Span[]): { span: Span; depth: number }[] {
  const start = (span: Span) => momentOf(textAt(span, STARTS)) ?? 0;
  const sorted = spans.toSorted((a, b) => start(a) - start(b));
  const known = new Set(sorted.map((span) => textAt(span, IDS)));
  const byParent = Map.groupBy(sorted, (span) => textAt(span, PARENTS));
  const seen = new Set<Span>();
  const rows: { span: Span; depth: number }[] = [];
  const add = (span: Span, depth: number): void => {
    if (seen.has(span)) return;
    seen.add(span);
    rows.push({ span, depth });
    if (depth >= MOST_DEEP) return;
    const id = textAt(span, IDS);
    for (const child of id === '' ? [] : (byParent.get(id) ?? [])) add(child, depth + 1);
  };
  for (const span of sorted) if (!known.has(textAt(span, PARENTS))) add(span, 0);
  // What is left is in a circle, or too deep.
  for (const span of sorted) add(span, 0);
  return rows;
}

function rowOf(span: Span, depth: number): string {
  const who = [textAt(span, SERVICES), textAt(span, NAMES)].filter((part) => part !== '').join(' ');
  const ms = textAt(span, DURATIONS);
  const took = Number.isFinite(Number(ms)) && ms !== '' ? `${Number(Number(ms).toPrecision(4))} ms` : '';
  const error = textAt(span, ['error', 'errorMessage', 'exception']);
  const failed = error !== '' ? `✗ ${error}` : span.error === true ? '✗ failed' : '';
  const line = [who || 'span', took, failed].filter((part) => part !== '').join(' · ');
  return `${'  '.repeat(depth)}${oneLine(line)}`;
}

const CHANGE_LEAD = [
  ...['title', 'message', 'kind', 'service', 'repository'],
  ...['version', 'before', 'at', 'author', 'authors', 'url'],
];
const DIFFS = ['diff', 'patch', 'code', 'snippet', 'details'];
const MOST_DIFF_LINES = 60;

/** A deploy, a configuration change or code: what, where, when, by whom; and the change itself where it is there. */
function changeBlocks(data: Record<string, unknown>): KnownBlock[] {
  const isCode = (name: string) =>
    typeof data[name] === 'string' && (name !== 'details' || /\n/u.test(data[name]));
  const code = DIFFS.filter(isCode);
  const marked = listAt(data, ['marked'])?.filter((line) => typeof line === 'string') ?? [];
  const lines = textAt(data, code).slice(0, 70_000).split('\n');
  const more = lines.length - MOST_DIFF_LINES;
  return [
    ...inSections(factLines(without(data, [...code, ...(marked.length > 0 ? ['marked'] : [])]), CHANGE_LEAD)),
    ...(marked.length > 0
      ? [context('In the failing log lines, and in no other change'), ...codeLines(marked)]
      : []),
    ...codeLines(lines.slice(0, MOST_DIFF_LINES)),
    ...(more > 0 ? [context(`… shortened: ${more} more lines`)] : []),
  ];
}

const MOST_SERIES = 8;
const MAX_SERIES_LINE = 900;

interface Numbers {
  name: string;
  points: number;
  /** Its course, as bars. */
  bars: string;
  lowest: Point;
  highest: Point;
  last: Point;
}

/** A metric in words: each series with its lowest, highest and last value; `null` if there is no value. */
function metricBlocks(data: Record<string, unknown>): KnownBlock[] | null {
  const metric = readMetric({ type: 'metric', data });
  if (metric === null) return null;
  const keys = differing(metric.series);
  const all = metric.series
    .map((series) => numbersOf(series, keys))
    .filter((numbers) => numbers !== null)
    .toSorted((a, b) => spread(b) - spread(a));
  const measure = measureOf(metric.unit, {
    least: Math.min(...all.map(({ lowest }) => lowest.value)),
    most: Math.max(...all.map(({ highest }) => highest.value)),
  });
  // A name may be an expression, which is copied.
  const title = code(phrase(metric.name, 200));
  const about = body(passage(metric.description, 1000));
  return [
    ...inSections([
      ...(title === ''
        ? []
        : [`${title}${tags(measure.caption || (measure.suffix === '' ? metric.unit : ''))}`]),
      ...(about === '' ? [] : [cutEscaped(about, 2000)]),
      ...all
        .slice(0, MOST_SERIES)
        .map((numbers) => cutEscaped(seriesLine(numbers, metric.unit, measure), MAX_SERIES_LINE)),
      ...(all.length > MOST_SERIES ? [`… ${all.length - MOST_SERIES} more series that vary less`] : []),
    ]),
    context(
      count(
        all.reduce((sum, { points }) => sum + points, 0),
        'value',
      ),
    ),
  ];
}

function seriesLine({ name, bars, lowest, highest, last }: Numbers, unit: string, measure: Measure): string {
  // In a chart all values have one unit, in a sentence each has the one that makes it short: 16 ms, 1.4 s.
  const ownMeasure = ({ value }: Point) =>
    measure.suffix.startsWith(' ') ? measureOf(unit, { least: value, most: value }) : measure;
  const value = (point: Point) => `*${written(point.value, ownMeasure(point))}*`;
  const whose = name === '' ? '•' : `• ${bold(name)}:`;
  if (lowest.value === highest.value) return `${whose} ${value(last)} throughout, until ${date(last.at)}`;
  return `${whose} lowest ${value(lowest)} at ${date(lowest.at)} · highest ${value(highest)} at ${date(highest.at)} · last ${value(last)} at ${date(last.at)}\n  ${bars}`;
}

function numbersOf({ attributes, samples }: Series, keys: readonly string[]): Numbers | null {
  let lowest: Point | null = null;
  let highest: Point | null = null;
  let last: Point | null = null;
  let points = 0;
  for (const { at, value } of samples) {
    if (value === null) continue;
    last = { at, value };
    points += 1;
    if (lowest === null || value < lowest.value) lowest = last;
    if (highest === null || value > highest.value) highest = last;
  }
  if (lowest === null || highest === null || last === null) return null;
  const name = keys.map((key) => phrase(attributes.get(key), 80) || '–').join(' · ');
  const bars = barsOf(samples, lowest.value, highest.value);
  return { name, points, bars, lowest, highest, last };
}

const BARS = '▁▂▃▄▅▆▇█';
const MOST_BARS = 30;

/** A series as a text sparkline, where Slack draws no chart: the highest value of each interval, a space where there is none. */
function barsOf(samples: Series['samples'], lowest: number, highest: number): string {
  const [first = 0, last = first] = [samples[0]?.at, samples.at(-1)?.at];
  const number = Math.min(MOST_BARS, samples.length);
  const stretch = (last - first) / number || 1;
  const values = new Array<number>(number).fill(Number.NEGATIVE_INFINITY);
  for (const { at, value } of samples) {
    const index = Math.min(number - 1, Math.floor((at - first) / stretch));
    if (value !== null && value > (values[index] ?? 0)) values[index] = value;
  }
  const steps = BARS.length - 1;
  return values
    .map((value) => BARS[Math.round(((value - lowest) / (highest - lowest)) * steps)] ?? ' ')
    .join('');
}

function spread({ lowest, highest }: Numbers): number {
  return highest.value - lowest.value;
}

const MAX_LINE = 500;

/** Untrusted lines in a fixed-width font, as they are; a long line is cut at a word. */
function codeLines(lines: readonly string[]): RichTextBlock[] {
  const text = lines.map((line) => cutAtWord(line, MAX_LINE)).join('\n');
  return text.trim() === '' ? [] : [preformatted(text)];
}
