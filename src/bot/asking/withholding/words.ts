/** A word of a text as names are compared: lower case, without markup, accents and invisible characters. */
export interface Word {
  word: string;
  /** What stands between it and the word before, without markup. */
  gap: string;
}

const SLICE = 16_384;
const NAMED_ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp);/giu;
const NUMERIC_ENTITY = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/giu;
const ESCAPED_BYTE = /%([2-7][0-9a-f])/giu;
/** A link's address stands behind its label: it is read after the text, so that it parts no name. */
const ADDRESS = /\]\(([^()\s]{0,2000})[^()]{0,300}\)/gu;
const MARKUP = /[*`~\\]/gu;
const INVISIBLE = /[\p{M}\p{Cf}\p{Cs}]/gu;
/** Scripts without spaces between words are compared character by character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}])*/gu;

/** The words of a text that is short enough to be read at once. */
export function wordsOf(text: string): Word[] {
  const plain = plainText(text);
  const words: Word[] = [];
  let end = 0;
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    words.push({ word, gap: plain.slice(end, index) });
    end = index + word.length;
  }
  return words;
}

/** A long text in pieces that can be read one by one, each ending with a white space if there is one. */
export function* slicesOf(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > SLICE) {
    const piece = text.slice(from, from + SLICE);
    const space = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'));
    const length = space > 0 ? space + 1 : SLICE;
    yield text.slice(from, from + length);
    from += length;
  }
  if (from < text.length) yield text.slice(from);
}

function plainText(text: string): string {
  let plain = text;
  if (plain.includes('&')) {
    plain = plain
      .replace(NUMERIC_ENTITY, (_all, hex: string | undefined, digits: string | undefined) =>
        characterOf(hex === undefined ? Number(digits) : Number.parseInt(hex, 16)),
      )
      .replace(NAMED_ENTITY, ' ');
  }
  if (plain.includes('%')) {
    plain = plain.replace(ESCAPED_BYTE, (_all, hex: string) => characterOf(Number.parseInt(hex, 16)));
  }
  if (plain.includes('](')) {
    const addresses = [...plain.matchAll(ADDRESS)].map(([, address = '']) => address);
    plain = `${plain.replace(ADDRESS, '')}${addresses.map((address) => ` | ${address}`).join('')}`;
  }
  if (/\P{ASCII}/u.test(plain)) plain = plain.normalize('NFKD').replace(INVISIBLE, '');
  return plain.replace(MARKUP, '').toLowerCase();
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}
