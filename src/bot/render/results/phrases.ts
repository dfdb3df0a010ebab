import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean, literal } from '../escape.ts';

/** So much of a text is read, and twice of what is shown, however long it is. */
const LEAST_READ = 20_000;

function beginning(text: string, max: number): string {
  const most = Math.max(LEAST_READ, 2 * max);
  return clean(text.length > most ? `${text.slice(0, most)}…` : text);
}

/** An untrusted text on one line, cut at a word; empty if it is missing or blank. Not escaped yet. */
export function phrase(text: string | undefined, max: number): string {
  return cutAtWord(oneLine(beginning(text ?? '', max)), max);
}

/** An untrusted text of several lines, cut at a word; empty if it is missing or blank. Not escaped yet. */
export function passage(text: string | undefined, max: number): string {
  return cutAtWord(beginning(text ?? '', max).trim(), max);
}

/** ` (high · follow up)` in safe mrkdwn of those that are stated, `follow_up` in words; empty if none is. */
export function tags(...values: (string | undefined)[]): string {
  const stated = values
    .map((value) => literal(phrase(value?.replaceAll('_', ' '), 60)))
    .filter((value) => value !== '');
  return stated.length === 0 ? '' : ` (${stated.join(' · ')})`;
}

/** `confidence high` for `high`; `undefined` if nothing is known. Not escaped yet. */
export function confidence(value: string | undefined): string | undefined {
  const stated = phrase(value, 40);
  return stated === '' || stated.toLowerCase() === 'unknown' ? undefined : `confidence ${stated}`;
}
