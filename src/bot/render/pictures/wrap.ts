import { textWidth, type Weight } from './font.ts';

/** How a text is set, and the room that it has. */
export interface Setting {
  size: number;
  weight: Weight;
  /** Pixels. */
  width: number;
  maxLines: number;
}

const ELLIPSIS = '…';
const AFTER_SEPARATOR = /(?<=[-_/.:,;@=&?+|\\])(?=[^-_/.:,;@=&?+|\\])|(?<=\p{Ll})(?=\p{Lu})/u;

/**
 * Breaks a text into lines that are no wider than there is room: at spaces; a word that is too wide, after a
 * separator (`payments-db.` `connections`), else anywhere. What does not fit into the lines is cut, with `…`.
 */
export function wrap(text: string, setting: Setting): string[] {
  const fits = (line: string) => textWidth(line, setting.size, setting.weight) <= setting.width;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = piecesOf(word, fits);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
    if (lines.length > setting.maxLines) break;
  }
  if (line !== '') lines.push(line);
  if (lines.length <= setting.maxLines) return lines;
  const kept = lines.slice(0, setting.maxLines);
  const last = kept.pop();
  return last === undefined ? [] : [...kept, fitted(`${last} ${ELLIPSIS}`, fits)];
}

/** The text, or as many of its words (at least a part of the first) as there is room for, with `…`. */
export function cutToWidth(text: string, width: number, size: number, weight: Weight = 400): string {
  return wrap(text, { size, weight, width, maxLines: 1 })[0] ?? '';
}

/** A line with room for its ellipsis, which stands close to a word. */
function fitted(line: string, fits: (line: string) => boolean): string {
  let head = line.slice(0, -ELLIPSIS.length).trimEnd();
  while (head !== '' && !fits(`${head}${ELLIPSIS}`)) {
    const space = head.lastIndexOf(' ');
    head = space > 0 ? head.slice(0, space) : Array.from(head).slice(0, -1).join('');
  }
  return `${head.replace(/[\s,;:·–-]+$/u, '')}${ELLIPSIS}`;
}

function piecesOf(word: string, fits: (line: string) => boolean): string[] {
  if (fits(word)) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const part of word.split(AFTER_SEPARATOR).flatMap((one) => (fits(one) ? [one] : Array.from(one)))) {
    if (piece !== '' && !fits(piece + part)) {
      pieces.push(piece);
      piece = '';
    }
    piece += part;
  }
  return [...pieces, piece];
}
