import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../../support/files.ts';

const ROOT = join(import.meta.dirname, '../../../src/bot/alerts');

/** Every pattern below a node of a syntax tree: expressions, and texts that one is made from. */
function patternsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(patternsIn);
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(patternsIn);
  if ('regex' in node && typeof node.regex === 'object' && node.regex !== null && 'pattern' in node.regex)
    return [String(node.regex.pattern), ...below];
  const text = 'type' in node && node.type === 'Literal' && 'value' in node ? node.value : null;
  return typeof text === 'string' && /\(\?|\\[bwsd]|[\])][*+]/u.test(text) ? [text, ...below] : below;
}

/** Whether something that may repeat without end holds something that may: `(a+)*`, the way to exponential time. */
function repeatsRepeats(pattern: string): boolean {
  const open: { endless: boolean }[] = [{ endless: false }];
  let closed: { endless: boolean } | null = null;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    const endless = /^(?:[*+]|\{\d+,\})/u.test(pattern.slice(at, at + 12));
    if (endless) {
      if (closed?.endless) return true;
      for (const group of open) group.endless = true;
    }
    closed = null;
    if (char === '\\') at += 1;
    else if (char === '[') at = endOfClass(pattern, at);
    else if (char === '(') open.push({ endless: false });
    else if (char === ')') closed = open.pop() ?? null;
  }
  return false;
}

function endOfClass(pattern: string, from: number): number {
  let depth = 0;
  for (let at = from; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '[') depth += 1;
    else if (pattern[at] === ']') depth -= 1;
    if (depth === 0) return at;
  }
  return pattern.length;
}

describe('the regular expressions that read messages', () => {
  const found = filesBelow(ROOT, (path) => path.endsWith('.ts')).flatMap((path) =>
    patternsIn(parseSync(path, readFileSync(join(ROOT, path), 'utf8')).program).map((pattern) => ({
      path,
      pattern,
    })),
  );

  it('nest no unbounded repetition', () => {
    expect(found.length).toBeGreaterThan(200);
    expect(found.filter(({ pattern }) => repeatsRepeats(pattern))).toStrictEqual([]);
  });

  it.each([
    ['(?:a+)*', true],
    ['(?:[a-z]+ ?)+$', true],
    ['((a|b{2,}) )+', true],
    ['(?:a+ )*', true],
    ['(?:a{1,9} )*', false],
    ['(?:a+){1,3}b+', false],
    ['[(a+)*]+', false],
    ['\\(a+\\)*', false],
  ])('%s is detected', (pattern, endless) => {
    expect(repeatsRepeats(pattern)).toBe(endless);
  });
});
