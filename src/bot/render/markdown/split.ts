import type { IssueNumber } from '../../shared/issue-number.ts';
import { clean, escapeAngles } from '../escape.ts';
import { blockCost, blockCount } from '../measure.ts';
import { linkIssues } from './issue-links.ts';
import { honestLinks } from './links.ts';

/** What one part may cost Slack, as `measure.ts` counts. */
export interface PartLimits {
  cost: number;
  blocks: number;
}

interface Line extends PartLimits {
  text: string;
  /** A blank line outside code: the best place to split. */
  isGap: boolean;
  /** The rest of a line that had to be cut, right behind its beginning. */
  isRest: boolean;
}

interface Fence {
  marker: string;
  opening: string;
}

/** Room for closing code and opening it again, at the most that `OPENING` lets it cost. */
const FENCE_ROOM = 320;
const OPENING = /^ {0,3}(`{3,40}|~{3,40})[^`]{0,40}$/u;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u;

/**
 * Splits escaped Markdown into parts within `most`, at blank lines if it can. Code that goes on in
 * the next part is closed and opened again. Nothing is lost.
 * @returns at least one part
 */
export function splitMarkdown(markdown: string, most: PartLimits): string[] {
  const room = { cost: most.cost - FENCE_ROOM, blocks: most.blocks };
  const parts: string[] = [];
  let lines: Line[] = [];
  let total = sum(lines);
  let fence: Fence | null = null;
  const pieces = markdown.split('\n').flatMap((line) => {
    const [beginning = '', ...rest] = piecesOf(line, room.cost - FENCE_ROOM);
    return [{ text: beginning, isRest: false }, ...rest.map((text) => ({ text, isRest: true }))];
  });
  for (const { text, isRest } of pieces) {
    const line = weigh(text, fence === null, isRest);
    const before = lines.at(-1);
    while (
      lines.length > 0 &&
      (total.cost + line.cost > room.cost || total.blocks + line.blocks > room.blocks)
    ) {
      const split = splitOff(lines, fence);
      parts.push(split.part);
      lines = split.rest;
      total = sum(lines);
    }
    // What begins a part begins a line there, whatever it was cut from.
    line.isRest &&= lines.length > 0 && lines.at(-1) === before;
    lines.push(line);
    total = { cost: total.cost + line.cost, blocks: total.blocks + line.blocks };
    if (!line.isRest) fence = fenceAfter(text, fence);
  }
  return [...parts, textOf(lines)].filter((part, index) => index === 0 || part.trim() !== '');
}

function splitOff(lines: Line[], fence: Fence | null): { part: string; rest: Line[] } {
  if (fence) return { part: `${textOf(lines)}\n${fence.marker}`, rest: [weigh(fence.opening, false, false)] };
  const gap = lines.findLastIndex((line) => line.isGap);
  if (gap < lines.length / 3) return { part: textOf(lines), rest: [] };
  return { part: textOf(lines.slice(0, gap)), rest: lines.slice(gap + 1) };
}

function weigh(text: string, isOutsideCode: boolean, isRest: boolean): Line {
  const block = { type: 'markdown', text } as const;
  const isBlank = text.trim() === '';
  return {
    text,
    cost: blockCost(block) + 1,
    // A blank line parts two blocks; a text alone counts as one, which only the first line of a part is.
    blocks: isBlank ? 1 : blockCount(block) - 1,
    isGap: isBlank && isOutsideCode && !isRest,
    isRest,
  };
}

function sum(lines: readonly Line[]): PartLimits {
  return {
    cost: lines.reduce((total, line) => total + line.cost, 0),
    blocks: lines.reduce((total, line) => total + line.blocks, 1),
  };
}

function fenceAfter(text: string, fence: Fence | null): Fence | null {
  const [, marker = ''] = (fence ? CLOSING : OPENING).exec(text) ?? [];
  if (!fence) return marker === '' ? null : { marker, opening: text };
  return marker.startsWith(fence.marker) ? null : fence;
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ text, isRest }, index) => (index === 0 || isRest ? text : `\n${text}`)).join('');
}

const ATOM = /&(?:amp|lt|gt);|./gsu;

/**
 * Cuts one line of escaped Markdown into pieces that cost at most `room` (see `measure.ts`), at a space
 * where one is in the last quarter; never within an entity or a character.
 */
function piecesOf(line: string, room: number): string[] {
  // Nothing costs more than five times its length.
  if (line.length * 5 <= room) return [line];
  const pieces: string[] = [];
  let start = 0;
  let cost = 0;
  let space = 0;
  for (const { 0: atom, index } of line.matchAll(ATOM)) {
    const next = atom.startsWith('&') ? atom.length + 4 : atom.length;
    if (cost + next > room) {
      const end = space - start > (index - start) * 0.75 ? space : index;
      pieces.push(line.slice(start, end));
      cost = costOf(line.slice(end, index));
      start = end;
    }
    cost += next;
    if (atom === ' ') space = index;
  }
  return [...pieces, line.slice(start)];
}

function costOf(text: string): number {
  return text.length + 4 * (text.match(/&/gu)?.length ?? 0);
}

const GROWING = '▍';

/** The agent's Markdown as a `markdown` block takes it: no mentions, honest links, issue numbers linked. */
export function answerMarkdown(answer: string, issueLinks: Readonly<Record<IssueNumber, string>>): string {
  return escapeAngles(linkIssues(honestLinks(clean(answer).trim()), issueLinks));
}

/**
 * Markdown with the mark that it continues: behind its last word, and on a line of its own behind what that would change
 * (the end of code, a table, a line below a heading).
 */
export function withSign(markdown: string): string {
  const last = markdown.slice(markdown.lastIndexOf('\n') + 1);
  const isStructure = /^\s*(?:`{3}|~{3}|\||[-=*_\s]+$)/u.test(last);
  return isStructure ? `${markdown}\n\n${GROWING}` : `${markdown} ${GROWING}`;
}
