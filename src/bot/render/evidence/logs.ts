import type { KnownBlock } from '@slack/types';
import { oneLine } from '../../../lib/text.ts';
import { inSections } from '../in-sections.ts';
import { context } from '../rendered.ts';
import { count } from '../words.ts';
import { codeLines } from './code-lines.ts';
import { factLines, isRecord } from './facts.ts';
import { clockTime, listAt, textAt, times, without } from './fields.ts';

const LISTS = ['lines', 'logs', 'entries', 'records', 'messages', 'events', 'hits'];
const WORDS = ['message', 'msg', 'body', 'text', 'line', 'log', 'content'];
const LEVELS = ['level', 'severity', 'severityText', 'status'];
const MOST = 40;

/** Log lines with their times and levels; `null` if the data holds no list of them. */
export function logBlocks(data: Record<string, unknown>): KnownBlock[] | null {
  const lines = listAt(data, LISTS);
  if (lines === null) return null;
  const more = lines.length - MOST;
  return [
    ...inSections(factLines(without(data, LISTS))),
    ...codeLines(lines.slice(0, MOST).map(lineOf)),
    context(
      more > 0
        ? `The first ${MOST} of ${count(lines.length, 'line')}; times in UTC`
        : `${count(lines.length, 'line')}; times in UTC`,
    ),
  ];
}

function lineOf(line: unknown): string {
  if (!isRecord(line)) return typeof line === 'string' ? line : JSON.stringify(line);
  const words = textAt(line, WORDS);
  if (words === '') return JSON.stringify(line).slice(0, 2000);
  const before = [clockTime(line, times), textAt(line, LEVELS).toUpperCase().slice(0, 8)];
  return [...before.filter((part) => part !== ''), oneLine(words)].join(' ');
}
