import type { Problem } from './tool.ts';

/** The words of a recorded message or payload, and what replaces them when another problem is played. */
type Playable = Readonly<Record<string, string>>;

/** The company of the recorded messages is played as the shop. */
const COMPANY = { 'example.io': 'shop.example', acme: 'shop' };

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

/**
 * Fills in a template of a fixture's `playable`: `{service}`, `{symptom}` and `{number}` are the problem's, `{rule}` is the
 * symptom as rules are named, and `{now:%H:%M}` is the time as date(1) writes it, in UTC.
 * @param now in milliseconds
 * @throws if the template has any other placeholder
 */
export function fill(template: string, problem: Problem, now: number): string {
  return template.replaceAll(/\{(\w+)(?::([^}]*))?\}/gu, (placeholder, name: string, format?: string) => {
    switch (name) {
      case 'service':
        return problem.service;
      case 'symptom':
        return problem.symptom;
      case 'number':
        return String(problem.number);
      case 'rule':
        // The symptom as rules are named: `HighErrorRate`.
        return problem.symptom.replaceAll(/[^a-z]+(\w)/giu, (_, letter: string) => letter.toUpperCase());
      case 'now':
        if (format !== undefined) return formatTime(format, now);
    }
    throw new Error(`unknown placeholder ${placeholder}`);
  });
}

function formatTime(format: string, ms: number): string {
  const iso = new Date(ms).toISOString();
  const [weekday, , month] = new Date(ms).toUTCString().split(/,? /u);
  const parts: Record<string, string | undefined> = {
    '%s': String(Math.floor(ms / 1000)),
    '%Y': iso.slice(0, 4),
    '%y': iso.slice(2, 4),
    '%m': iso.slice(5, 7),
    '%d': iso.slice(8, 10),
    '%H': iso.slice(11, 13),
    '%M': iso.slice(14, 16),
    '%S': iso.slice(17, 19),
    '%a': weekday,
    '%b': month,
  };
  return format.replaceAll(/%\w/gu, (part) => {
    const written = parts[part];
    if (written === undefined) throw new Error(`unknown time format ${part} in {now:${format}}`);
    return written;
  });
}
