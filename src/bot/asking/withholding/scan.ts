import { type Block, cellsOf, endsInGap } from './blocks.ts';
import { isCutShort, MOST_WORDS, type Names } from './names.ts';
import { NumberReader, type NumberSpan } from './numbers.ts';
import { slicesOf, type Word, wordsOf } from './words.ts';

/** What a passage names. */
export interface ScanResult {
  /** An issue that its readers may not see. */
  hides: boolean;
  /** The same, but not by its words alone. */
  hidesId: boolean;
  /** One that they may see. */
  shows: boolean;
  /** Numbers of issues that are not known. */
  unknown: Set<number>;
  /** It may be named by what is cut off at the end. */
  isCut: boolean;
  /** How many words there are. */
  words: number;
}

const ELLIPSIS = /(?:…|\.{2,})["'”’*_`)\]|\s]*$/u;
const MOST_IN_RANGE = 1_000;
const MOST_UNKNOWN = 50;
const MARKED =
  /\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__|`([^`\n]{1,200})`|["“”„«]([^"“”„«»\n]{1,200})["“”»]/gu;
const BARE_PARTS = 200;

/** Reads words against names, passage by passage; a name may go over the end of one. */
export class Scanner {
  readonly #names: Names;
  readonly #numbers = new NumberReader();
  /** The last words, each with the passage that it is in. */
  #recent: string[] = [];
  #places: ScanResult[] = [];
  #uuid = '';

  constructor(names: Names) {
    this.#names = names;
  }

  /** Reads a passage; what it answers may still change while the next few words are read. */
  *read({ raw, kind, numbered }: Pick<Block, 'raw' | 'kind' | 'numbered'>): Generator<undefined, ScanResult> {
    const found: ScanResult = {
      hides: false,
      hidesId: false,
      shows: false,
      unknown: new Set(),
      isCut: false,
      words: 0,
    };
    this.#numbers.reset();
    for (const slice of slicesOf(raw)) {
      for (const word of wordsOf(slice)) this.#take(word, found);
      yield undefined;
    }
    const rest = raw.trimEnd();
    const isBegun = this.#recent.length > 0 && this.#names.isBeginning(this.#recent);
    if (isBegun && ELLIPSIS.test(rest)) found.hides = true;
    found.isCut = isBegun && !/[.!?:;)\]}|`"”’*]$/u.test(rest);
    if (kind === 'row') this.#readCells(raw, numbered, found);
    if (this.#hasBareName(raw)) found.hides = true;
    // No name goes over a blank line.
    if (endsInGap(raw)) {
      this.#recent = [];
      this.#places = [];
    }
    return found;
  }

  #take(word: Word, found: ScanResult): void {
    if (isCutShort(word.gap) && this.#names.isBeginning(this.#recent)) this.#hideLast(1);
    found.words += 1;
    this.#recent.push(word.word);
    this.#places.push(found);
    if (this.#recent.length > MOST_WORDS) {
      this.#recent.shift();
      this.#places.shift();
    }
    this.#hideLast(this.#names.ends(this.#recent));
    this.#takeId(word, found);
    const span = this.#numbers.take(this.#names.organization === 'private' ? asCounted(word) : word);
    if (span !== null) takeNumbers(span, this.#names, found);
  }

  #hideLast(count: number): void {
    if (count > 0) for (const place of this.#places.slice(-count)) place.hides = true;
  }

  #takeId({ word, gap }: Word, found: ScanResult): void {
    const before = this.#recent.at(-2);
    if (this.#names.isHiddenId(word) || this.#names.isHiddenChannel(word)) hideId(found);
    if (before === 'gumshoe' && /^[-_]$/u.test(gap) && /^[0-9a-f]{16,}$/u.test(word)) {
      if (this.#names.reference(word)) hideId(found);
      else found.shows = true;
    }
    if (before === 'archives' && gap === '/' && /^[cdg][a-z0-9]{6,}$/u.test(word)) {
      if (this.#names.isHiddenPlace(word)) hideId(found);
    }
    if (!/^(?:[0-9a-f]{4}|[0-9a-f]{8}|[0-9a-f]{12}|[0-9a-f]{32})$/u.test(word)) {
      this.#uuid = '';
      return;
    }
    this.#uuid = gap === '-' ? `${this.#uuid}${word}`.slice(-32) : word;
    const known = this.#names.uuid(this.#uuid) ?? this.#names.uuid(word);
    if (known === true) hideId(found);
    if (known === false) found.shows = true;
  }

  #readCells(raw: string, numbered: readonly number[], found: ScanResult): void {
    const cells = cellsOf(raw);
    for (const index of numbered) {
      const number = /^#?(\d{1,9})$/u.exec(cells[index] ?? '')?.[1];
      if (number !== undefined) {
        takeNumbers({ from: Number(number), to: Number(number) }, this.#names, found);
      }
    }
    if (cells.slice(0, BARE_PARTS).some((cell) => this.#names.isBareName(cell))) found.hides = true;
  }

  #hasBareName(raw: string): boolean {
    if (raw.length > MOST_IN_RANGE * 4) return false;
    const lines = raw
      .split('\n')
      .map((line) => line.replace(/^[\s>]*(?:[-*+•]|\d{1,9}[.)]|#{1,6})?\s+/u, ''));
    const marked = [...raw.matchAll(MARKED)].map(([, ...groups]) => groups.find((one) => one) ?? '');
    return [...lines, ...marked].some((part) => this.#names.isBareName(part));
  }
}

/** `P12`, as people write the numbers of the private organisation, is `#12` to the service. */
function asCounted({ word, gap }: Word): Word {
  if (!/^p\d{1,9}$/u.test(word)) return { word, gap };
  return { word: word.slice(1), gap: `${gap || ' '}#` };
}

function takeNumbers({ from, to }: NumberSpan, { hidden, shown }: Names, found: ScanResult): void {
  if (to - from > MOST_IN_RANGE) {
    for (const number of hidden) if (number >= from && number <= to) hideId(found);
    return;
  }
  for (let number = from; number <= to; number += 1) {
    if (hidden.has(number)) hideId(found);
    else if (shown.has(number)) found.shows = true;
    else if (found.unknown.size < MOST_UNKNOWN) found.unknown.add(number);
    // A list of more than anybody looks up.
    else hideId(found);
  }
}

function hideId(found: ScanResult): void {
  found.hides = true;
  found.hidesId = true;
}
