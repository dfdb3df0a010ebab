import { blockCost, blockCount } from '../measure.ts';
import { piecesOf } from './pieces.ts';

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
