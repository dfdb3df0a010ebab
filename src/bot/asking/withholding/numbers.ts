import type { Word } from './words.ts';

const NOUNS = new Set(['issue', 'issues', 'ticket', 'tickets', 'incident', 'incidents']);
const PLURALS = new Set(['issues', 'tickets', 'incidents']);
const LABELS = new Set(['no', 'nos', 'nr', 'num', 'number', 'numbers', 'id', 'ids']);
/** A noun and a label in one word, as keys of JSON are. */
const KEYS = new Set(['issueno', 'issuenumber', 'issuenum', 'issueid']);
const SPELLED = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const JOINS = new Set(['and', 'or', 'to', 'through', 'thru', 'until', 'plus']);
const RANGES = new Set(['to', 'through', 'thru', 'until']);
const DASH = /^\s*[-\u2010-\u2015]\s*#?$/u;
const BEFORE_NUMBER = /^[\s#:=/_"'([-]*$/u;
const IN_LIST = /^[\s,;&+/#"'()[\]-]*$/u;
const AFTER_LABEL = /^[\s#:=/_"'.([-]*$/u;

/** Issue numbers that a text names, from one up to and including another: the same for a single one. */
export interface NumberSpan {
  from: number;
  to: number;
}

/**
 * Reads issue numbers word by word: `#12`, `issue 12`, `Issue No. 12`, `issues 1, 2 and 3`, `#3–#7`, `"number": 12`. A bare
 * number names nothing.
 */
export class NumberReader {
  #before: Word[] = [];
  /** The number named last, while what follows may go on with it. */
  #last: { number: number; inList: boolean; joined: string } | null = null;

  /** Begins a new passage: nothing before it goes on. */
  reset(): void {
    this.#before = [];
    this.#last = null;
  }

  take(word: Word): NumberSpan | null {
    const number = this.#numberOf(word);
    const span = number === null ? null : this.#named(word, number);
    if (span === null) this.#goOn(word);
    this.#before = [...this.#before.slice(-2), word];
    return span;
  }

  #numberOf({ word, gap }: Word): number | null {
    if (/^\d{1,9}$/u.test(word)) return Number(word);
    const spelled = SPELLED.indexOf(word);
    const noun = this.#before.at(-1)?.word ?? '';
    const isName = /^\s*$/u.test(gap) && (NOUNS.has(noun) || LABELS.has(noun)) && !PLURALS.has(noun);
    return spelled >= 0 && isName ? spelled + 1 : null;
  }

  #named(word: Word, number: number): NumberSpan | null {
    const last = this.#last;
    const isRange = last !== null && (RANGES.has(last.joined) || (last.joined === '' && DASH.test(word.gap)));
    const goesOn = last !== null && IN_LIST.test(word.gap) && (last.inList || isRange);
    const isSaid = this.#hasNoun(word) || hasHash(word, this.#before.at(-1));
    if (!goesOn && !isSaid && !(isRange && last !== null)) return null;
    const from = isRange && last !== null && last.number <= number ? last.number : number;
    const inList = (goesOn && last.inList) || this.#hasPlural();
    this.#last = { number, inList, joined: '' };
    return { from, to: number };
  }

  #goOn({ word, gap }: Word): void {
    if (this.#last === null) return;
    if (this.#last.joined === '' && JOINS.has(word) && IN_LIST.test(gap)) this.#last.joined = word;
    else this.#last = null;
  }

  #hasNoun({ gap }: Word): boolean {
    const [before, label] = [this.#before.at(-2), this.#before.at(-1)];
    if (label === undefined) return false;
    if (KEYS.has(label.word)) return AFTER_LABEL.test(gap);
    if (NOUNS.has(label.word))
      return BEFORE_NUMBER.test(gap) && !(PLURALS.has(label.word) && gap.includes(':'));
    if (!LABELS.has(label.word) || !AFTER_LABEL.test(gap)) return false;
    if (/[:=/]/u.test(gap) && /^n(?:umber|um|r)/u.test(label.word)) return true;
    return before !== undefined && NOUNS.has(before.word) && AFTER_LABEL.test(label.gap);
  }

  #hasPlural(): boolean {
    return this.#before.some(({ word }) => PLURALS.has(word));
  }
}

/** `#12`, but not `api#12`. */
function hasHash({ gap }: Word, before: Word | undefined): boolean {
  if (!/#[\s"'([{_]*$/u.test(gap)) return false;
  return gap !== '#' || before === undefined || NOUNS.has(before.word) || LABELS.has(before.word);
}
