const MAX_TYPED = 100;

/**
 * The word with the smallest edit distance from what was typed; `null` if even that is half of the word or more.
 */
export function nearest(typed: string, words: readonly string[]): string | null {
  const short = typed.slice(0, MAX_TYPED);
  const [best] = words
    .map((word) => ({ word, edits: editsBetween(short, word) }))
    .sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits * 2 < Math.max(best.word.length, short.length) ? best.word : null;
}

function editsBetween(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, character] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (before[column] ?? 0) + (character === other ? 0 : 1);
      current.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    before = current;
  }
  return before[b.length] ?? 0;
}
