import type { Problem } from './problem.ts';
import { fill } from './template.ts';

/** The words of a recorded message or payload, and what replaces them when another problem is played. */
type Playable = Readonly<Record<string, string>>;

/** The company of the recorded messages is played as the shop. */
const COMPANY = { 'example.io': 'shop.example', acme: 'shop' };

/** A recorded value as another problem writes it. */
export function filledIn(value: unknown, playable: Playable, problem: Problem, now: number): unknown {
  return withTexts(value, replacing(playable, problem, now));
}

/** Replaces the words of a text in one pass; of two that begin at the same place, the longer. `now` in milliseconds. */
export function replacing(playable: Playable, problem: Problem, now: number): (text: string) => string {
  const replacements: Playable = { ...COMPANY, ...playable };
  const words = Object.keys(replacements).sort((a, b) => b.length - a.length);
  const any = new RegExp(
    words.map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)).join('|'),
    'gu',
  );
  return (text: string) => text.replaceAll(any, (word) => fill(replacements[word] ?? word, problem, now));
}

/** A JSON value with each of its texts and numbers changed. */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') return Number(change(String(value)));
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, change)]));
}
