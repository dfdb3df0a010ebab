/** How expressions are written for a server: what it calls things, and which of its systems are meant. */
export interface Rewriting {
  /** A server's own name for a metric; without one, the name stays. */
  metrics: ReadonlyMap<string, string>;
  /** A server's own name for a label, as it is written there. */
  labels: ReadonlyMap<string, string>;
  /** Matchers that each selector gets: `cluster=~"us|"`. */
  matchers: readonly string[];
}

/** Clauses with a list of labels. */
const LISTS: ReadonlySet<string> = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'unless', 'bool', 'offset', 'atan2', 'inf', 'nan']);
const TOKEN = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\[[^\]]*\]|[A-Za-z_:][\w:]*|\d[\w.]*|[\s\S]/gu;
const PLAIN_NAME = /^[A-Za-z_:][\w:]*$/u;
const PLAIN_LABEL = /^[A-Za-z_]\w*$/u;

/** Rewrites an expression in PromQL: each selector and each list of labels. */
export function rewritten(expression: string, rewriting: Rewriting): string {
  const { metrics, labels, matchers } = rewriting;
  if (metrics.size === 0 && labels.size === 0 && matchers.length === 0) return expression;
  const tokens: string[] = expression.match(TOKEN) ?? [];
  const nextOf = (i: number) => {
    let next = i + 1;
    while (/^\s$/u.test(tokens[next] ?? '')) next++;
    return next;
  };
  const label = (name: string) => labels.get(name) ?? name;
  let written = '';
  let i = 0;
  /** The tokens from an opening one to the closing one. */
  const group = (open: number, close: string): string[] => {
    const end = tokens.indexOf(close, open);
    return tokens.slice(open + 1, end < 0 ? undefined : end);
  };
  while (i < tokens.length) {
    const token = tokens[i] ?? '';
    const next = nextOf(i);
    const following = tokens[next] ?? '';
    if (LISTS.has(token) && following === '(') {
      const inside = group(next, ')');
      written += `${token} (${inside.map((one) => (PLAIN_LABEL.test(one) ? label(one) : one)).join('')})`;
      i = next + inside.length + 2;
    } else if (token === '{' || (PLAIN_NAME.test(token) && !isNoMetric(token, following))) {
      const name = token === '{' ? null : token;
      const open = name === null ? i : following === '{' ? next : -1;
      const inside = open < 0 ? [] : group(open, '}');
      const own = inside
        .map((one, at) => (PLAIN_LABEL.test(one) && isMatched(inside, at) ? label(one) : one))
        .join('');
      written += selectorOf(name === null ? null : (metrics.get(name) ?? name), [own.trim(), ...matchers]);
      i = open < 0 ? i + 1 : open + inside.length + 2;
    } else {
      written += token;
      i++;
    }
  }
  return written;
}

/** Functions, aggregations, operators and numbers. */
function isNoMetric(token: string, following: string): boolean {
  return (
    following === '(' ||
    following === 'by' ||
    following === 'without' ||
    WORDS.has(token.toLowerCase()) ||
    LISTS.has(token)
  );
}

function isMatched(tokens: readonly string[], at: number): boolean {
  const next = tokens.slice(at + 1).find((one) => one.trim() !== '');
  return next === '=' || next === '!';
}

function selectorOf(name: string | null, matchers: readonly string[]): string {
  // Servers quote other names in different ways; this one all of them have.
  const isPlain = name === null || PLAIN_NAME.test(name);
  const all = [...(isPlain ? [] : [`__name__=${JSON.stringify(name)}`]), ...matchers].filter(
    (one) => one !== '',
  );
  const head = isPlain ? (name ?? '') : '';
  return all.length === 0 && head !== ''
    ? head
    : `${head}{${all.map((one) => one.replace(/,$/u, '')).join(',')}}`;
}
