/** Changes to make where an expression aggregates by certain labels. */
interface Change {
  /** Additional labels of the results. */
  more: readonly string[];
  /** Transforms the operand before aggregation. */
  prepare?: (operand: string) => string;
}

/**
 * Aggregates by more labels, wherever one of our own expressions (`sum by (job, …) (…)`) aggregates by labels that
 * begin with `labels`. Other aggregations stay as they are.
 */
export function regrouped(
  expression: string,
  labels: readonly string[],
  { more, prepare = (operand) => operand }: Change,
): string {
  const clause = `by (${labels.join(', ')}`;
  const at = expression.indexOf(clause);
  if (at < 0) return expression;
  const listEnd = expression.indexOf(')', at);
  const open = listEnd + 2;
  const close = closingOf(expression, open);
  if (listEnd < 0 || expression[open] !== '(' || close < 0) return expression;
  const given = expression.slice(at + 'by ('.length, listEnd).split(', ');
  const all = [...new Set([...given.filter((label) => label !== 'le'), ...more])];
  const list = [...all, ...given.filter((label) => label === 'le')].join(', ');
  const operand = expression.slice(open + 1, close);
  const rest = regrouped(expression.slice(close + 1), labels, { more, prepare });
  return `${expression.slice(0, at)}by (${list}) (${prepare(operand)})${rest}`;
}

/** The parenthesis that closes the one at `open`, or -1. */
function closingOf(text: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let i = open; i < text.length; i++) {
    const character = text[i] ?? '';
    if (quote !== '') {
      if (character === '\\') i++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return i;
  }
  return -1;
}
