/** Function words, which occur in every text. */
const GRAMMAR = new Set(
  'the and for from with not are was were has have had its this that into out onto per via then than when now new all any after before over under off'.split(
    ' ',
  ),
);

/**
 * The terms of a text: identifiers as a whole and in parts, words, and numbers, in lower case. `readThreeDSResult` is
 * `readthreedsresult`, `read`, `three`, `ds`, `result`.
 */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (const [word] of text.matchAll(/[A-Za-z_][A-Za-z0-9_]*|\d{2,}/g)) {
    const parts = word
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
      .split(/[ _]+/);
    for (const part of [word, ...parts]) {
      const term = singular(part.toLowerCase());
      if ((term.length >= 3 && !GRAMMAR.has(term)) || /^\d{2,}$/.test(term)) terms.add(term);
    }
  }
  return terms;
}

function singular(word: string): string {
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** How specific each term is, 0 to 1: highest if only one text has it, 0 if all do. */
export function rarity(texts: readonly ReadonlySet<string>[]): (term: string) => number {
  const counts = new Map<string, number>();
  for (const terms of texts) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const most = Math.log(texts.length + 1);
  return (term) => Math.log((texts.length + 1) / Math.max(1, counts.get(term) ?? 0)) / most;
}
