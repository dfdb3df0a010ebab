import { RE2JS } from 're2js';
import { cutAtWord } from '../../lib/text.ts';
import { formats } from '../alerts/formats/index.ts';
import type { Alert } from '../alerts/types.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Reason } from '../store/reasons.ts';

const MAX_PATTERN = 200;
/** In each of a channel's two lists. */
const MAX_PATTERNS = 50;
/** Instructions of an expression as RE2 compiles it: matching takes time proportional to them and to the text. */
const MAX_SIZE = 500;
/** The same for all expressions of a list together. */
const MAX_TOTAL_SIZE = 2_000;
/** UTF-16 code units of a message's texts; the beginning says what it is about. */
const MAX_TEXT = 10_000;
/** How many notes are shown while somebody types. */
const MAX_NOTES = 10;
const REGULAR = /^\/(.*)\/i?$/su;

/** `sender` is the tool's display name; `null` for a person. */
interface Message {
  alert: Alert;
  sender: string | null;
}

/** The rule of a channel's patterns that excludes an alert, as a sentence; `null` if none does. */
export function excludedBy(
  { include, exclude }: Pick<ChannelSettings, 'include' | 'exclude'>,
  message: Message,
): Reason | null {
  if (include.length === 0 && exclude.length === 0) return null;
  const texts = textsOf(message);
  const excluded = exclude.find((pattern) => matchesAny(pattern, texts));
  if (excluded !== undefined) return { code: 'excluded', pattern: excluded };
  if (include.length === 0 || include.some((pattern) => matchesAny(pattern, texts))) return null;
  return 'not_included';
}

/** The patterns in a text, one per line; empty lines and duplicates are ignored. */
export function patternsIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** What is wrong with a list of patterns, as a sentence for the person who typed it; `null` if it can be used. */
export function patternsProblem(patterns: readonly string[]): string | null {
  if (patterns.length > MAX_PATTERNS) {
    return `${patterns.length} patterns is too many; the limit is ${MAX_PATTERNS}. Combine some, for example as /one|another/.`;
  }
  const problem = patterns.map(patternProblem).find((sentence) => sentence !== null);
  if (problem !== undefined) return problem;
  const expressions = patterns.filter((pattern) => REGULAR.test(pattern));
  const size = expressions.reduce((sum, pattern) => sum + compile(pattern).programSize(), 0);
  return size > MAX_TOTAL_SIZE
    ? 'Together these patterns are too large. Use fewer of them, or repeat less in them.'
    : null;
}

/**
 * What is wrong with one line of an include or exclude list; `null` if it can be used. It is plain text, or a regular
 * expression between slashes; case does not matter in either.
 */
export function patternProblem(pattern: string): string | null {
  const shown = `“${cutAtWord(pattern, 40)}”`;
  if (pattern.length > MAX_PATTERN) {
    return `${shown} is longer than ${MAX_PATTERN} characters. Use a shorter one.`;
  }
  try {
    if (!REGULAR.test(pattern) || compile(pattern).programSize() <= MAX_SIZE) return null;
    return `${shown} is too large: its repetitions expand to more than ${MAX_SIZE} parts. Repeat less, for example {0,20} instead of {0,999}.`;
  } catch (error) {
    const why = error instanceof Error ? inWords(error.message) : 'unreadable';
    return `${shown} is not a valid regular expression: ${cutAtWord(why, 120)}.`;
  }
}

/**
 * Notes shown while patterns are typed: for each what is wrong with it, or how many of the channel's last messages it
 * matches. Plain text; the patterns in it are untrusted.
 */
export function patternNotes(patterns: readonly string[], messages: readonly Message[]): string[] {
  const texts = messages.map(textsOf);
  const notes = patterns.slice(0, MAX_NOTES).map((pattern) => {
    const problem = patternProblem(pattern);
    if (problem !== null) return `⚠️ ${problem}`;
    const shown = `“${cutAtWord(pattern, 60)}”`;
    if (texts.length === 0) {
      return `${shown} can be used; no messages from this channel are on record yet.`;
    }
    const count = texts.filter((one) => matchesAny(pattern, one)).length;
    return `${shown} matches ${count} of ${texts.length === 1 ? '1 message' : `the last ${texts.length} messages`} here.`;
  });
  const more = patterns.length - notes.length;
  if (more <= 0) return notes;
  const tooMany = patternsProblem(patterns);
  return [...notes, `… and ${more} more`, ...(tooMany === null ? [] : [`⚠️ ${tooMany}`])];
}

/** The texts of a message that patterns are matched against, from the most telling on. */
function textsOf({ alert, sender }: Message): string[] {
  const tool = formats.find(({ name }) => name === alert.format)?.tool ?? null;
  const { title, description, service, host, region, errorType, errorMessage, environment } = alert;
  const words = [title, sender, tool, service, host, region, environment, errorType, errorMessage];
  let left = MAX_TEXT;
  return [...words, alert.format, ...alert.tags, description].flatMap((text) => {
    const part = (text ?? '').slice(0, left);
    left -= part.length;
    return part === '' ? [] : [part];
  });
}

/** Whether a pattern matches any of the texts. An invalid one matches nothing. */
function matchesAny(pattern: string, texts: readonly string[]): boolean {
  try {
    const expression = compile(pattern);
    return texts.some((text) => expression.matcher(text).find());
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

/** RE2's own message, without what was put before the expression here. */
function inWords(message: string): string {
  return message
    .replace(/^error parsing regexp: /u, '')
    .replace('`(?i)', '`')
    .replace(/`([^`]*)`/u, '“$1”');
}
