import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean } from '../escape.ts';
import { hasGlyph } from './font.ts';

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
  return cutAtWord(oneLine(withGlyphs(oneLine(known))), max);
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
