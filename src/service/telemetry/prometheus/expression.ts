/** What a rule measures, and the value it is compared with. */
export interface Measured {
  expression: string;
  threshold: { comparison: string; value: number } | null;
}

const COMPARISON =
  /\s*(>=|<=|==|!=|>|<)\s*(?:bool\s+)?\(?\s*(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*\)?\s*$/iu;

/** Strips the final comparison with a number from a rule's expression: the rest can be plotted. */
export function measuredBy(rule: string): Measured {
  const text = rule.trim();
  const found = COMPARISON.exec(text);
  const expression = found ? text.slice(0, found.index).trim() : text;
  if (!found || !isBalanced(expression) || isPartOfMore(expression))
    return { expression: text, threshold: null };
  return { expression, threshold: { comparison: found[1] ?? '>', value: Number(found[2]) } };
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of withoutStrings(text)) {
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** `a and b > 1`: the comparison belongs to `b` only. */
function isPartOfMore(text: string): boolean {
  let depth = 0;
  let outside = '';
  for (const character of withoutStrings(text)) {
    if ('([{'.includes(character)) depth++;
    if (depth === 0) outside += character;
    if (')]}'.includes(character)) depth--;
  }
  return /\b(?:and|or|unless)\b|[<>]|==|!=/iu.test(outside);
}

function withoutStrings(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/gu, '""');
}
