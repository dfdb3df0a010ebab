import { parser } from '@prometheus-io/lezer-promql';

/*
 * PromQL is parsed with Prometheus' own grammar, and changed by small edits where the tree says so: what people wrote
 * stays as they wrote it. What the grammar does not know (a server's own additions) is left alone.
 */

type Node = ReturnType<typeof parser.parse>['topNode'];

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** How expressions are written for a server: what it calls things, and which of its systems are meant. */
export interface Rewriting {
  /** A server's own name for a metric; without one, the name stays. */
  metrics: ReadonlyMap<string, string>;
  /** A server's own name for a label, as it is written there. */
  labels: ReadonlyMap<string, string>;
  /** Matchers that each selector gets: `cluster=~"us|"`. */
  matchers: readonly string[];
}

const PLAIN_NAME = /^[A-Za-z_:][\w:]*$/u;

/** Rewrites an expression: each selector and each list of labels. */
export function rewritten(expression: string, rewriting: Rewriting): string {
  const { metrics, labels, matchers } = rewriting;
  if (metrics.size === 0 && labels.size === 0 && matchers.length === 0) return expression;
  const edits: Edit[] = [];
  for (const node of nodesOf(parser.parse(expression).topNode)) {
    if (node.name === 'LabelName') {
      const own = labels.get(textOf(node, expression));
      if (own !== undefined) edits.push({ from: node.from, to: node.to, text: own });
    } else if (node.name === 'VectorSelector') edits.push(...selectorEdits(node, expression, rewriting));
  }
  return edited(expression, edits);
}

function selectorEdits(node: Node, text: string, { metrics, matchers }: Rewriting): Edit[] {
  const identifier = node.getChild('Identifier');
  const braces = node.getChild('LabelMatchers');
  const name = identifier && textOf(identifier, text);
  const own = (name !== null && metrics.get(name)) || name;
  // Servers quote other names in different ways; this one all of them have.
  const isQuoted = own !== null && !PLAIN_NAME.test(own);
  const added = [...(isQuoted ? [`__name__=${JSON.stringify(own)}`] : []), ...matchers];
  const edits: Edit[] = [];
  if (identifier && own !== name)
    edits.push({ from: identifier.from, to: identifier.to, text: isQuoted ? '' : (own ?? '') });
  for (const matcher of braces?.getChildren('UnquotedLabelMatcher') ?? []) {
    const [label, value] = [matcher.getChild('LabelName'), matcher.getChild('StringLiteral')];
    if (
      !label ||
      !value ||
      textOf(label, text) !== '__name__' ||
      !matcher.getChild('MatchOp')?.getChild('EqlSingle')
    )
      continue;
    const other = metrics.get(textOf(value, text).slice(1, -1));
    if (other !== undefined) edits.push({ from: value.from, to: value.to, text: JSON.stringify(other) });
  }
  if (added.length === 0) return edits;
  if (braces === null) {
    const end = identifier?.to ?? node.to;
    return [...edits, { from: end, to: end, text: `{${added.join(',')}}` }];
  }
  const inside = text.slice(braces.from + 1, braces.to - 1);
  const kept = inside.replace(/\s*,?\s*$/u, '');
  const at = braces.from + 1 + kept.length;
  const first = isQuoted ? added.slice(0, 1) : [];
  const last = isQuoted ? added.slice(1) : added;
  if (first.length > 0)
    edits.push({
      from: braces.from + 1,
      to: braces.from + 1,
      text: `${first.join()}${kept === '' ? '' : ','}`,
    });
  if (last.length > 0 || at < braces.to - 1)
    edits.push({
      from: at,
      to: braces.to - 1,
      text: last.length === 0 ? '' : `${kept === '' && first.length === 0 ? '' : ','}${last.join(',')}`,
    });
  return edits;
}

/** Changes to make where an expression aggregates by certain labels. */
interface Change {
  more: readonly string[];
  /** Transforms the operand before aggregation. */
  prepare?: (operand: string) => string;
}

/**
 * Aggregates by more labels, wherever an expression aggregates by labels that begin with `labels`. Other aggregations
 * stay as they are, and so does what cannot be parsed.
 */
export function regrouped(expression: string, labels: readonly string[], { more, prepare }: Change): string {
  const { topNode } = parser.parse(expression);
  const edits: Edit[] = [];
  for (const node of nodesOf(topNode)) {
    if (node.type.isError) return expression;
    if (node.name !== 'AggregateExpr') continue;
    const modifier = node.getChild('AggregateModifier');
    const grouping = modifier?.getChild('GroupingLabels');
    const given = grouping?.getChildren('LabelName').map((label) => textOf(label, expression)) ?? [];
    if (!modifier?.getChild('By') || !grouping || !labels.every((label, i) => given[i] === label)) continue;
    // A bucket stays at the end.
    const all = new Set([...given.filter((label) => label !== 'le'), ...more]);
    const list = [...all, ...given.filter((label) => label === 'le')].join(', ');
    edits.push({ from: grouping.from, to: grouping.to, text: `(${list})` });
    const operand = node.getChild('FunctionCallBody')?.lastChild?.prevSibling;
    const inner = node.getChild('FunctionCallBody')?.getChildren('Expr').at(-1) ?? operand;
    if (prepare === undefined || !inner) continue;
    const [before = '', after = ''] = prepare('\u0000').split('\u0000');
    edits.push(
      { from: inner.from, to: inner.from, text: before },
      { from: inner.to, to: inner.to, text: after },
    );
  }
  return edited(expression, edits);
}

/** What a rule measures, and the value it is compared with. */
interface Measured {
  expression: string;
  threshold: { comparison: string; value: number } | null;
}

/** The same comparison read from the other side. */
const COMPARISONS: Readonly<Record<string, { text: string; turned: string }>> = {
  Gtr: { text: '>', turned: '<' },
  Gte: { text: '>=', turned: '<=' },
  Lss: { text: '<', turned: '>' },
  Lte: { text: '<=', turned: '>=' },
  Eql: { text: '==', turned: '==' },
  Neq: { text: '!=', turned: '!=' },
};

/** Strips the final comparison with a number from a rule's expression: the rest can be plotted. */
export function measuredBy(rule: string): Measured {
  const text = rule.trim();
  const top = withoutParentheses(parser.parse(text).topNode.getChild('Expr'));
  const comparison = top && operatorOf(top);
  const [left, right] = top?.name === 'BinaryExpr' ? top.getChildren('Expr') : [];
  const known = comparison && COMPARISONS[comparison];
  if (!known || !left || !right) return { expression: text, threshold: null };
  const [below, above] = [numberOf(left, text), numberOf(right, text)];
  if (above !== null && below === null)
    return { expression: textOf(left, text), threshold: { comparison: known.text, value: above } };
  if (below !== null && above === null)
    return { expression: textOf(right, text), threshold: { comparison: known.turned, value: below } };
  return { expression: text, threshold: null };
}

/** A selector of an expression: the metric, and what it requires of labels by equality. */
export interface Selected {
  metric: string;
  labels: Readonly<Record<string, string>>;
}

export function selectorsIn(expression: string): Selected[] {
  return nodesOf(parser.parse(expression).topNode).flatMap((node): Selected[] => {
    if (node.name !== 'VectorSelector') return [];
    const identifier = node.getChild('Identifier');
    const required = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).flatMap(
      (one) => {
        const [label, value] = [one.getChild('LabelName'), one.getChild('StringLiteral')];
        return label && value && one.getChild('MatchOp')?.getChild('EqlSingle')
          ? [[textOf(label, expression), textOf(value, expression).slice(1, -1)] as const]
          : [];
      },
    );
    const { __name__: named = '', ...labels } = Object.fromEntries(required);
    return [{ metric: identifier ? textOf(identifier, expression) : named, labels }];
  });
}

function withoutParentheses(node: Node | null): Node | null {
  let inner = node;
  while (inner?.name === 'ParenExpr') inner = inner.getChild('Expr');
  return inner;
}

/** The operator of a binary expression, by the grammar's name. */
function operatorOf(node: Node): string | null {
  return node.getChildren('Expr')[0]?.nextSibling?.name ?? null;
}

/** What an expression of numbers alone amounts to; `null` if it reads anything. */
function numberOf(node: Node, text: string): number | null {
  const inner = withoutParentheses(node);
  if (inner === null) return null;
  if (inner.name === 'NumberDurationLiteral') {
    const value = Number(textOf(inner, text).replace(/^([+-]?)inf$/iu, '$1Infinity'));
    return Number.isNaN(value) ? null : value;
  }
  if (inner.name === 'UnaryExpr') {
    const operand = inner.getChild('Expr');
    const value = operand && numberOf(operand, text);
    return value === null ? null : textOf(inner, text).startsWith('-') ? -value : value;
  }
  if (inner.name !== 'BinaryExpr') return null;
  const [a, b] = inner.getChildren('Expr').map((operand) => numberOf(operand, text));
  if (a == null || b == null) return null;
  switch (operatorOf(inner)) {
    case 'Add':
      return a + b;
    case 'Sub':
      return a - b;
    case 'Mul':
      return a * b;
    case 'Div':
      return a / b;
    case 'Pow':
      return a ** b;
    default:
      return null;
  }
}

function nodesOf(node: Node): Node[] {
  const found: Node[] = [node];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(...nodesOf(child));
  return found;
}

function textOf(node: Node, text: string): string {
  return text.slice(node.from, node.to);
}

/** The edits do not overlap; those at one place apply in their order. */
function edited(text: string, edits: readonly Edit[]): string {
  const sorted = edits.map((edit, i) => ({ ...edit, i })).sort((a, b) => a.from - b.from || a.i - b.i);
  let result = '';
  let at = 0;
  for (const { from, to, text: put } of sorted) {
    result += text.slice(at, from) + put;
    at = Math.max(at, to);
  }
  return result + text.slice(at);
}
