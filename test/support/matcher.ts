import type { Matcher } from '../../src/bot/settings/patterns/matcher.ts';
import { matchesAny } from '../../src/bot/settings/patterns/patterns.ts';

/** Looks for patterns at once and here; those in `slow` miss their deadline. */
export function matcherHere(slow: ReadonlySet<string> = new Set()): Matcher & { tried: string[] } {
  const tried: string[] = [];
  return {
    tried,
    match: async (patterns, subjects) => {
      tried.push(...patterns);
      return patterns.map((pattern) =>
        slow.has(pattern) ? 'too_slow' : subjects.map((texts) => matchesAny(pattern, texts)),
      );
    },
    close: async () => undefined,
  };
}
