import { IDENTIFIER, isStateWord } from '../names.ts';
import { emojiState, type State, severityWord } from '../state.ts';
import { kindOf } from '../values.ts';
import { stateNamed } from '../wording.ts';

/** What a word of a message may hold besides a word: what changes while a problem goes on, a state, or a name. */
export type WordClass = 'changing' | 'state' | 'name' | 'word';

const CLOCK_TIME = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?(?: ?[ap]m\b)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b)?`;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
const TIME = new RegExp(
  [
    String.raw`\b\d{4}[-./]\d{1,2}[-./]\d{1,2}(?:[T ,]{1,2}${CLOCK_TIME})?`,
    String.raw`\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?(?:${MONTH}\.? {1,2}\d{1,2}|\d{1,2}\.? ${MONTH}\.?)(?:,? \d{4})?,?(?: (?:at )?${CLOCK_TIME})`,
    String.raw`\b\d{1,2}(?:\/\d{1,2}\/\d{2,4}|\.\d{1,2}\.\d{4})(?:,? ${CLOCK_TIME})?`,
    String.raw`(?<![\d.])\b${CLOCK_TIME}`,
  ].join('|'),
  'giu',
);
const LABELLED = /^(\p{L}[\p{L} _./-]{0,30}?)\s?[:：]\s*(\S.*)$/u;
const SEPARATORS = /[\s,;()[\]{}"'`|<>!?«»“”]+|\.(?=\s|$)|:(?=\s|$)/u;
/** What stands for a time: what else is in its line is about the message. */
export const CLOCK = '#time';
/** The signs of states, which stand for words. */
const SIGN = /(\p{Extended_Pictographic})\u{FE0F}?/gu;
/** A unit behind its number. */
const UNIT = /(\d) (%|°[CF]?|[kMGT]i?B(?:\/s)?|ms|s|sec|min|h|days?)(?![\p{L}\d])/gu;
/** `feature=cadpro`. */
const PAIR = /(?<![^\s,;(])([\p{L}_][\p{L}\d_.-]{0,40})=(?=\S)("?)/gu;
/** A value of more words is a text. */
const MOST_NAMED = 3;
const MOST_WORDS = 30;

/** The words of a line, in lower case; of a field its label, and its value if that is short. */
export function wordsOfLine(line: string): string[] {
  const text = line
    .replace(TIME, ` ${CLOCK} `)
    .replace(SIGN, ' $1 ')
    .replace(UNIT, '$1$2')
    .replace(PAIR, '$1= $2')
    .trim();
  const [, label, value = ''] = LABELLED.exec(text) ?? [];
  const parts = split(value);
  if (label !== undefined && !IDENTIFIER.test(label) && parts.length > 0) {
    const isName = parts.length <= MOST_NAMED && parts.every((part) => classOf(part) !== 'changing');
    const named = isName ? [parts.join(' ')] : parts;
    return [`${split(label).join(' ')}:`, ...named].slice(0, MOST_WORDS);
  }
  return split(text).slice(0, MOST_WORDS);
}

function split(text: string): string[] {
  return text
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word === CLOCK || /[\p{L}\p{N}\p{Extended_Pictographic}%]/u.test(word));
}

/** Cached, since the same words come again and again; a word says the same to everybody. */
const classes = new Map<string, WordClass>();
const MOST_CACHED = 20_000;

export function classOf(word: string): WordClass {
  const known = classes.get(word);
  if (known !== undefined) return known;
  if (classes.size >= MOST_CACHED) classes.clear();
  const found = classFor(word);
  classes.set(word, found);
  return found;
}

function classFor(word: string): WordClass {
  if (word === CLOCK) return 'changing';
  const kind = kindOf(word);
  if (kind === 'time' || kind === 'duration' || kind === 'measure' || kind === 'id') return 'changing';
  if (
    /\p{Extended_Pictographic}/u.test(word) ||
    kind === 'state' ||
    isStateWord(word) ||
    severityWord(word) !== null
  )
    return 'state';
  return IDENTIFIER.test(word) ? 'name' : 'word';
}

/** The words that a sender has for states, beyond those that everybody has. */
export type Lexicon = ReadonlyMap<string, State>;

/** The states that words stand for by themselves. */
export function statesIn(words: readonly string[], lexicon: Lexicon): Set<State> {
  const states = words.flatMap((word) => {
    const known = lexicon.get(word);
    if (known !== undefined) return [known];
    const state = classOf(word) === 'state' ? (stateNamed(word) ?? emojiState(word)) : null;
    return state === 'firing' || state === 'resolved' ? [state] : [];
  });
  return new Set(states);
}

/** Whether two words may stand in the same place of one template: both are names, or both change. */
export function areInterchangeable(one: string, other: string): boolean {
  const [first, second] = [classOf(one), classOf(other)];
  return first === second && (first === 'name' || first === 'changing');
}
