import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './files.ts';
import { readTree } from './imports.ts';

/** What a test of the first tier does without, and what to do instead. */
const FORBIDDEN: readonly [RegExp, string][] = [
  [/from 'node:(?:child_process|worker_threads|cluster)'|from 'playwright-core'/u, 'starts a process'],
  [/\bsetTimeout\(|\bsetInterval\(|\bset(?:Timeout|Interval) as |Atomics\.wait\(/u, 'waits in real time'],
  [
    /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bsystemClock\b|\bcpuUsage\(|\bhrtime\b/u,
    "reads the machine's clock",
  ],
];

/**
 * What waits and measures time for all flows, what delays requests on purpose, where the rule itself is written, and the
 * benchmarks, a program of their own.
 */
const EXEMPT = [
  /^support\/(?:until|paced-clock|program|proxies\/.*)\.ts$/u,
  /^(?:architecture\.test|support\/first-tier)\.ts$/u,
  /^bench\//u,
];

/** Each file that a test of the first tier uses, and what it does that such a test may not do; a package's own code aside. */
export function firstTierViolations(root = join(projectRoot, 'test')): string[] {
  const { files, imports } = readTree(root, (path) => !/^(?:src|page|testing)\//u.test(path));
  const isFirst = (file: string) => file.endsWith('.test.ts') && !/\.(?:deep|long)\.test\.ts$/u.test(file);
  const used = new Set(files.filter(isFirst));
  for (const file of used)
    for (const { from, to } of imports) if (from === file && files.includes(to)) used.add(to);
  return [...used].flatMap((file) => {
    if (EXEMPT.some((path) => path.test(file))) return [];
    const text = readFileSync(join(root, file), 'utf8');
    return FORBIDDEN.flatMap(([pattern, what]) => (pattern.test(text) ? [`${file} ${what}`] : []));
  });
}
