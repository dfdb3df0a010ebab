import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { memoryFolder } from '../support/memory-folder.ts';

// The workers inherit both.
process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
process.env.TMPDIR ??= memoryFolder();

/** What the three tiers have in common. Their files are named `*.test.ts`, `*.deep.test.ts` and `*.long.test.ts`. */
export const BASE = {
  root: new URL('../..', import.meta.url).pathname,
  // A worker loads the program once, not once per file. There are no singletons, so files share nothing.
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: [
    // As the programs run (docs/decisions.md, 9).
    '--no-regexp-tier-up',
    // Most of what a test makes is soon garbage, and other workers want the core that would help to collect it.
    '--single-threaded-gc',
    '--min-semi-space-size=32',
    '--max-semi-space-size=64',
  ],
  setupFiles: ['test/support/property-seed.ts'],
};

/**
 * The second and third tier may start programs, browsers and servers. Everything on SQLite is one project, and what runs on
 * PostgreSQL another.
 */
export function startingPrograms(options: { sqlite: string[]; postgres: string[]; longestWaitMs: number }) {
  const env = { LONGEST_WAIT_MS: String(options.longestWaitMs) };
  const postgresOnly = ['test/**/*.postgres.*.test.ts'];
  const project = (name: string, include: string[], exclude: string[], dialect: string, setup: string) => ({
    extends: true as const,
    test: {
      name,
      include,
      exclude,
      env: { ...env, TEST_DIALECT: dialect },
      globalSetup: [setup, 'test/support/bundle.ts'],
    },
  });
  return {
    ...BASE,
    // Most of these tests wait for another process.
    maxWorkers: 5,
    // They end what is hopeless, and only that: a test says itself, far sooner, what it has waited for in vain.
    testTimeout: 5 * options.longestWaitMs,
    hookTimeout: 5 * options.longestWaitMs,
    expect: { poll: { timeout: options.longestWaitMs } },
    projects: [
      project('postgres', options.postgres, SQLITE_ONLY, 'postgres', 'test/support/postgres/server.ts'),
      project('sqlite', options.sqlite, postgresOnly, 'sqlite', 'packages/local-slack/testing/chromium.ts'),
    ],
  };
}

/** They are about files, or about SQLite's own query plans. */
const SQLITE_ONLY = [
  ...[
    'backups',
    'damage',
    'dialects/sqlite',
    'lock.deep',
    'migrate',
    'open',
    'plans',
    'sweep/plans',
    'upgrade',
  ].map((name) => `test/bot/store/${name}.test.ts`),
  'test/service/store/sqlite*.test.ts',
];
