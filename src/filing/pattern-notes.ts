import type { Alert } from '../alerts/types.ts';
import { cutAtWord } from '../lib/text.ts';
import { patternProblem } from './patterns.ts';
import { patternAgainst } from './rules.ts';

const MAX_NOTES = 10;

/** The patterns of a text that holds one a line; empty lines, and a line that is there already, count for nothing. */
export function patternsIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/**
 * What to say of patterns while they are typed: of each what is wrong with it, or how many of a channel's last
 * messages it matches. Plain text, in which the patterns are untrusted.
 */
export function patternNotes(
  patterns: readonly string[],
  messages: readonly { alert: Alert; sender: string | null }[],
): string[] {
  const notes = patterns.slice(0, MAX_NOTES).map((pattern) => {
    const problem = patternProblem(pattern);
    if (problem !== null) return `⚠️ ${problem}`;
    const shown = `“${cutAtWord(pattern, 60)}”`;
    if (messages.length === 0) return `${shown} can be used; no message of this channel is on record yet.`;
    const matched = messages.filter((message) => matches(pattern, message)).length;
    const last = messages.length === 1 ? '1 message' : `the last ${messages.length} messages`;
    return `${shown} matches ${matched} of ${last} here.`;
  });
  const more = patterns.length - notes.length;
  return more > 0 ? [...notes, `… and ${more} more`] : notes;
}

function matches(pattern: string, message: { alert: Alert; sender: string | null }): boolean {
  return patternAgainst(message, { include: [pattern], exclude: [] }) === null;
}
