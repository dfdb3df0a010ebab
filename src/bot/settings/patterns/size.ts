/** Classes such as `\pL` are many ranges of characters. */
const UNICODE_CLASS = 10;
const REPETITION = /\{(\d+)(?:(,)(\d*))?\}/uy;
const CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/suy;
const ESCAPED = /\\(?:[pP](?:\{[^}]*\}|.)|x\{[^}]*\}|Q.*?(?:\\E|$)|.)/suy;

/** An alternative being read: its size so far, and its last part, to which a repetition applies. */
interface Group {
  size: number;
  last: number;
}

/**
 * Approximately how many parts a regular expression has once its repetitions are expanded, as RE2 does: `(a{10}b){10}`
 * has over a hundred. Takes little time for any input; meaningless for an invalid expression.
 */
export function expandedSize(source: string): number {
  const groups: Group[] = [{ size: 0, last: 0 }];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < source.length) {
    const group = groups.at(-1) ?? { size: 0, last: 0 };
    const repeated = take(REPETITION);
    if (repeated) {
      const most = Math.max(Number(repeated[1]), Number(repeated[3] || 0)) + (repeated[2] ? 1 : 0);
      group.size += group.last * (most - 1);
      group.last *= most;
      continue;
    }
    const escaped = take(ESCAPED);
    if (escaped || take(CLASS)) {
      const isUnicode = /^\\[pP]/u.test(escaped?.[0] ?? '');
      add(group, isUnicode ? UNICODE_CLASS : escaped?.[0].startsWith('\\Q') ? escaped[0].length : 1);
      continue;
    }
    const character = source[at];
    at += 1;
    if (character === '(') {
      groups.push({ size: 2, last: 0 });
    } else if (character === ')' && groups.length > 1) {
      const inner = groups.pop();
      const outer = groups.at(-1);
      if (inner && outer) add(outer, inner.size);
    } else {
      add(group, 1);
    }
  }
  return groups.reduce((size, group) => size + group.size, 0);
}

function add(group: Group, size: number): void {
  group.size += size;
  group.last = size;
}
