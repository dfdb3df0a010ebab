import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean } from '../escape.ts';

/** The weights in which pictures are drawn. */
export type Weight = 400 | 600;

interface Face {
  file: string;
  /** Advance of each code point in the em; what is missing has no glyph. */
  advances: ReadonlyMap<number, number>;
}

const require = createRequire(import.meta.url);

const FACES: Readonly<Record<Weight, Face>> = {
  400: readFace(require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  600: readFace(require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
};

/** What `font-family` says in every picture. */
export const FONT_FAMILY = 'Inter';

/** The program's own fonts: pictures look the same on every machine. */
export const FONT_FILES: readonly string[] = [FACES[400].file, FACES[600].file];

/** Whether both weights can draw the code point. */
function hasGlyph(codePoint: number): boolean {
  return FACES[400].advances.has(codePoint) && FACES[600].advances.has(codePoint);
}

/** The width of a text in pixels, by the font's own advances; kerning is left off, which makes it a little wide. */
export function textWidth(text: string, size: number, weight: Weight = 400): number {
  const { advances } = FACES[weight];
  let width = 0;
  for (const character of text) width += advances.get(character.codePointAt(0) ?? 0) ?? 1;
  return width * size;
}

/** Reads the tables `head`, `hhea`, `hmtx` and `cmap` (its format 12) of a TrueType file. */
function readFace(file: string): Face {
  const bytes = readFileSync(file);
  const tables = new Map<string, number>();
  for (let i = 0; i < bytes.readUInt16BE(4); i++) {
    const entry = 12 + i * 16;
    tables.set(bytes.toString('latin1', entry, entry + 4), bytes.readUInt32BE(entry + 8));
  }
  const table = (name: string) => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`${file} has no table ${name}: reinstall the packages (npm ci).`);
    return at;
  };
  const em = bytes.readUInt16BE(table('head') + 18);
  const lastMetric = bytes.readUInt16BE(table('hhea') + 34) - 1;
  const advanceOf = (glyph: number) =>
    bytes.readUInt16BE(table('hmtx') + Math.min(glyph, lastMetric) * 4) / em;
  const advances = new Map<number, number>();
  const groups = charactersTable(bytes, table('cmap'), file);
  for (let i = 0; i < bytes.readUInt32BE(groups + 12); i++) {
    const group = groups + 16 + i * 12;
    const [first, last, glyph] = [0, 4, 8].map((offset) => bytes.readUInt32BE(group + offset));
    if (first === undefined || last === undefined || glyph === undefined) continue;
    for (let codePoint = first; codePoint <= last; codePoint++)
      advances.set(codePoint, advanceOf(glyph + codePoint - first));
  }
  return { file, advances };
}

function charactersTable(bytes: Buffer, cmap: number, file: string): number {
  for (let i = 0; i < bytes.readUInt16BE(cmap + 2); i++) {
    const at = cmap + bytes.readUInt32BE(cmap + 4 + i * 8 + 4);
    if (bytes.readUInt16BE(at) === 12) return at;
  }
  throw new Error(`${file} has no known character map: reinstall the packages (npm ci).`);
}

/** Stands for a run of characters that the font cannot draw; the text form always has them. */
export const MISSING = '□';

// Marks that stayed apart from their letter, and what is not seen at all (joiners, direction, tags).
const UNSEEN = /[\p{M}\p{Cf}]/gu;

/**
 * Untrusted text as the font can draw it: on one line, without what changes the direction or is not seen,
 * each run of characters without a glyph (emoji, CJK, Arabic …) as one `□`, cut at a word.
 */
export function drawable(text: string | undefined, max: number): string {
  const known = clean((text ?? '').slice(0, max * 4))
    .normalize('NFC')
    .replace(UNSEEN, '');
  // Pictures have no style for code.
  const words = known.replaceAll(/`([^`]+)`/gu, '$1');
  return cutAtWord(oneLine(withGlyphs(oneLine(words))), max);
}

function withGlyphs(text: string): string {
  let drawn = '';
  for (const character of text) {
    const plain = character.normalize('NFKC');
    if (isDrawn(character)) drawn += character;
    else if (isDrawn(plain)) drawn += plain;
    else if (!drawn.endsWith(MISSING)) drawn += MISSING;
  }
  return drawn.replace(/□(?: □)+/gu, MISSING);
}

function isDrawn(text: string): boolean {
  for (const character of text) if (!hasGlyph(character.codePointAt(0) ?? 0)) return false;
  return text !== '';
}

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
