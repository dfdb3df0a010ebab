import { RE2JS } from 're2js';
import { cutAtWord } from '../lib/text.ts';

const MAX_PATTERN = 200;
/** Of each text; what a message says at the beginning is what it is about. */
const MAX_SUBJECT = 10_000;
const REGULAR = /^\/(.*)\/i?$/su;

/**
 * One line of a channel's include or exclude list: words that are looked for as they stand, or a regular
 * expression between slashes; neither minds upper or lower case. RE2 takes time linear in the text, whatever the
 * expression, so that nobody can stop the bot with one.
 *
 * @returns what is wrong with it, as a sentence for the person who typed it; `null` where it can be used.
 */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) {
    return `“${cutAtWord(pattern, 40)}” is longer than ${MAX_PATTERN} characters. Please write a shorter one.`;
  }
  try {
    compile(pattern);
    return null;
  } catch (error) {
    const why = error instanceof Error ? inWords(error.message) : 'unreadable';
    return `“${cutAtWord(pattern, 40)}” is no regular expression: ${cutAtWord(why, 120)}.`;
  }
}

/** RE2's own words, without what was put before the expression here. */
function inWords(message: string): string {
  return message
    .replace(/^error parsing regexp: /u, '')
    .replace('`(?i)', '`')
    .replace(/`([^`]*)`/u, '“$1”');
}

/** The first pattern that matches any of the texts. One that cannot be read matches nothing. */
export function matchingPattern(patterns: readonly string[], texts: readonly string[]): string | null {
  const subjects = texts.map((text) => text.slice(0, MAX_SUBJECT));
  return patterns.find((pattern) => subjects.some((text) => matches(pattern, text))) ?? null;
}

function matches(pattern: string, text: string): boolean {
  try {
    return compile(pattern).matcher(text).find();
  } catch {
    return false;
  }
}

const compiled = new Map<string, RE2JS>();
const MAX_COMPILED = 500;

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const source = REGULAR.exec(pattern)?.[1] ?? RE2JS.quote(pattern);
  const made = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(pattern, made);
  return made;
}
