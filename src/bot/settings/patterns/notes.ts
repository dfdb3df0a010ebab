import { cutAtWord } from '../../../lib/text.ts';
import type { Alert } from '../../alerts/types.ts';
import type { Matched, Matcher } from './matcher.ts';
import { boundedSubjects, patternProblem, patternsProblem } from './patterns.ts';
import { subjects } from './rules.ts';

const MAX_NOTES = 10;

/** The patterns in a text, one per line; empty lines and duplicates are ignored. */
export function patternsIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/**
 * Notes shown while patterns are typed: for each what is wrong with it, that it is switched off, or how many of the
 * channel's last messages it matches. Plain text; the patterns in it are untrusted.
 *
 * @param off the channel's patterns that are switched off
 */
export async function patternNotes(
  patterns: readonly string[],
  messages: readonly { alert: Alert; sender: string | null }[],
  matcher: Matcher,
  off: readonly string[] = [],
): Promise<string[]> {
  const shown = patterns.slice(0, MAX_NOTES);
  const problems = new Map(shown.map((pattern) => [pattern, patternProblem(pattern)]));
  const tried = shown.filter((pattern) => problems.get(pattern) === null && !off.includes(pattern));
  const texts = messages.map((message) => boundedSubjects(subjects(message)));
  const found = messages.length === 0 ? [] : await matcher.match(tried, texts);
  const notes = shown.map((pattern) => {
    const problem = problems.get(pattern) ?? null;
    if (off.includes(pattern)) return `⚠️ “${cutAtWord(pattern, 60)}” is switched off: ${FIX}`;
    return problem === null
      ? noteOn(pattern, messages.length, found[tried.indexOf(pattern)])
      : `⚠️ ${problem}`;
  });
  const more = patterns.length - notes.length;
  if (more <= 0) return notes;
  const tooMany = patternsProblem(patterns);
  return [...notes, `… and ${more} more`, ...(tooMany === null ? [] : [`⚠️ ${tooMany}`])];
}

const FIX = 'it takes too long to match. Use a shorter or simpler one.';

function noteOn(pattern: string, messages: number, matched: Matched | undefined): string {
  const shown = `“${cutAtWord(pattern, 60)}”`;
  if (matched === 'too_slow') return `⚠️ ${shown} would be switched off: ${FIX}`;
  if (messages === 0) return `${shown} can be used; no messages from this channel are on record yet.`;
  const count = (matched ?? []).filter(Boolean).length;
  const last = messages === 1 ? '1 message' : `the last ${messages} messages`;
  return `${shown} matches ${count} of ${last} here.`;
}
