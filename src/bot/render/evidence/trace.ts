import type { KnownBlock } from '@slack/types';
import { oneLine } from '../../../lib/text.ts';
import { inSections } from '../in-sections.ts';
import { context } from '../rendered.ts';
import { count } from '../words.ts';
import { codeLines } from './code-lines.ts';
import { factLines } from './facts.ts';
import { listAt, momentOf, recordsOf, textAt, times, without } from './fields.ts';

const LISTS = ['spans', 'trace', 'traces', 'children'];
const IDS = ['spanId', 'span_id', 'spanID', 'id'];
const PARENTS = ['parentSpanId', 'parent_span_id', 'parentSpanID', 'parentId'];
const NAMES = ['operation', 'operationName', 'name', 'resource'];
const SERVICES = ['service', 'serviceName', 'service_name'];
const STARTS = ['at', 'start', 'startTime', 'startTimeUnixNano', ...times];
const DURATIONS = ['durationMs', 'duration_ms'];
const MOST = 40;
const MOST_DEEP = 12;

type Span = Record<string, unknown>;

/** The spans of a trace below one another, each with its duration and error; `null` if the data holds none. */
export function traceBlocks(data: Record<string, unknown>): KnownBlock[] | null {
  const list = listAt(data, LISTS);
  const spans = recordsOf(list ?? []);
  if (spans.length === 0) return null;
  const rows = asTree(spans);
  const more = rows.length - MOST;
  return [
    ...inSections(factLines(without(data, LISTS))),
    ...codeLines(rows.slice(0, MOST).map(({ span, depth }) => rowOf(span, depth))),
    context(more > 0 ? `The first ${MOST} of ${count(rows.length, 'span')}` : count(rows.length, 'span')),
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
  const said = [who || 'span', took, failed].filter((part) => part !== '').join(' · ');
  return `${'  '.repeat(depth)}${oneLine(said)}`;
}
