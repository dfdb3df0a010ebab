import type { Severity } from './types.ts';

const HIGH =
  'critical crit high highest p0 p1 p2 sev0 sev1 fatal emergency disaster page major blocker urgent severe emerg catastrophic immediate showstopper';
const MEDIUM = 'warning warn medium moderate average sev2 p3 error';
const LOW = 'info information informational low lowest minor notice debug sev3 sev4 sev5 p4 p5';

const WORDS = new Map<string, Severity>([
  ...HIGH.split(' ').map((word) => [word, 'high'] as const),
  ...MEDIUM.split(' ').map((word) => [word, 'medium'] as const),
  ...LOW.split(' ').map((word) => [word, 'low'] as const),
]);

/** Words that state a severity anywhere in a text; the others count only as the value of a severity field. */
const ANYWHERE = new Set(
  'critical crit fatal p1 p2 p3 p4 p5 sev0 sev1 sev2 sev3 sev4 warning warn info high medium low'.split(' '),
);

const RANK: Readonly<Record<Severity, number>> = { low: 0, medium: 1, high: 2 };

/** The severity of a severity field's value (`P1`, `Sev 2`, `Critical`, `1 - High`); `null` if it states none. */
export function severityOf(value: string): Severity | null {
  const words =
    value
      .toLowerCase()
      .replace(/\b(sev|p)[ -](?=\d)/gu, '$1')
      .match(/[a-z]+\d?/gu) ?? [];
  for (const word of words.slice(0, 6)) {
    const found = WORDS.get(word);
    if (found) return found;
  }
  return null;
}

/** The same for a single word without a label, where only unambiguous words count. */
export function severityWord(word: string): Severity | null {
  const lower = word.toLowerCase();
  return ANYWHERE.has(lower) ? (WORDS.get(lower) ?? null) : null;
}

/** The highest of the severities that are known. */
export function highestSeverity(severities: readonly (Severity | null)[]): Severity | null {
  return severities.reduce<Severity | null>(
    (worst, next) => (next !== null && (worst === null || RANK[next] > RANK[worst]) ? next : worst),
    null,
  );
}
