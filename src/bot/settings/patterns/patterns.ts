import { RE2JS } from 're2js';
import { cutAtWord } from '../../../lib/text.ts';
import { expandedSize } from './size.ts';

const MAX_PATTERN = 200;
/** In each of a channel's two lists. */
export const MAX_PATTERNS = 50;
/** The size of an expression with its repetitions expanded; matching time is proportional to it. */
const MAX_SIZE = 500;
/** The total of a list's expressions, because compiling them takes time too. */
const MAX_TOTAL_SIZE = 2_000;
/** The size of RE2's program, in case the estimate is wrong. */
const MAX_PROGRAM = 4 * MAX_SIZE;
/** For each text, and for all texts of a message together; the beginning says what it is about. */
const MAX_SUBJECT = 10_000;
const MAX_SUBJECTS = { characters: 20_000, texts: 100 };
const REGULAR = /^\/(.*)\/i?$/su;

/**
 * Checks one line of a channel's include or exclude list: plain text, or a regular expression between slashes, both
 * case-insensitive. RE2 takes time linear in the text and in the size of the expression, which is limited here.
 *
 * @returns what is wrong with it, as a sentence for the person who typed it; `null` if it can be used.
 */
export function patternProblem(pattern: string): string | null {
  const shown = `“${cutAtWord(pattern, 40)}”`;
  if (pattern.length > MAX_PATTERN) {
    return `${shown} is longer than ${MAX_PATTERN} characters. Use a shorter one.`;
  }
  if (isTooLarge(pattern)) {
    return `${shown} is too large: its repetitions expand to more than ${MAX_SIZE} parts. Repeat less, for example {0,20} instead of {0,999}.`;
  }
  try {
    compile(pattern);
    return null;
  } catch (error) {
    const why = error instanceof Error ? inWords(error.message) : 'unreadable';
    return `${shown} is not a valid regular expression: ${cutAtWord(why, 120)}.`;
  }
}

/** What is wrong with a list of patterns, or `null`. */
export function patternsProblem(patterns: readonly string[]): string | null {
  if (patterns.length > MAX_PATTERNS) {
    return `${patterns.length} patterns is too many; the limit is ${MAX_PATTERNS}. Combine some, for example as /one|another/.`;
  }
  const sources = patterns.map((pattern) => REGULAR.exec(pattern)?.[1] ?? '');
  const size = sources.reduce((sum, source) => sum + Math.min(expandedSize(source), MAX_SIZE), 0);
  if (size > MAX_TOTAL_SIZE && patterns.length > 1 && !patterns.some(isTooLargeAsWritten)) {
    return `Together these patterns are too large: their repetitions expand to more than ${MAX_TOTAL_SIZE} parts. Use fewer or simpler ones.`;
  }
  return patterns.map(patternProblem).find((sentence) => sentence !== null) ?? null;
}

function isTooLargeAsWritten(pattern: string): boolean {
  return pattern.length > MAX_PATTERN || expandedSize(REGULAR.exec(pattern)?.[1] ?? '') > MAX_SIZE;
}

/** Whether it is never tried, because matching it might take long. */
export function isTooLarge(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return true;
  const source = REGULAR.exec(pattern)?.[1];
  if (source === undefined) return false;
  if (expandedSize(source) > MAX_SIZE) return true;
  try {
    return compile(pattern).programSize() > MAX_PROGRAM;
  } catch {
    return false;
  }
}

/** RE2's own message, without what was put before the expression here. */
function inWords(message: string): string {
  return message
    .replace(/^error parsing regexp: /u, '')
    .replace('`(?i)', '`')
    .replace(/`([^`]*)`/u, '“$1”');
}

/** The part of a message's texts that patterns are matched against. */
export function boundedSubjects(texts: readonly string[]): string[] {
  let left = MAX_SUBJECTS.characters;
  const bounded: string[] = [];
  for (const text of texts.slice(0, MAX_SUBJECTS.texts)) {
    const part = text.slice(0, Math.min(MAX_SUBJECT, left));
    left -= part.length;
    if (part !== '') bounded.push(part);
  }
  return bounded;
}

/** Whether a pattern matches any of the texts. An invalid one matches nothing. */
export function matchesAny(pattern: string, texts: readonly string[]): boolean {
  try {
    const expression = compile(pattern);
    return texts.some((text) => expression.matcher(text).find());
  } catch {
    return false;
  }
}

const compiled = new Map<string, RE2JS>();
const MAX_COMPILED = 500;

/** Whether an expression is already compiled, so that using it takes next to no time. */
export function isCompiled(pattern: string): boolean {
  return compiled.has(pattern);
}

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const source = REGULAR.exec(pattern)?.[1] ?? RE2JS.quote(pattern);
  const made = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(pattern, made);
  return made;
}
