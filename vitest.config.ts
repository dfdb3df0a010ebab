import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from './test/support/compile-cache.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { LONGEST_WAIT_MS } from './test/support/longest-wait.ts';
import { memoryFolder } from './test/support/memory-folder.ts';

// The workers inherit both.
process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
process.env.TMPDIR ??= memoryFolder();

/** Of the flows, which take minutes; `POSTGRES_FLOWS=all npx vitest run --project postgres test/flows` runs all of them. */
const FLOWS_ON_POSTGRES = ['alert-to-answer', 'commands', 'home', 'talking-answer'].map(
  (name) => `test/flows/${name}.test.ts`,
);

/** They are about files, or about SQLite's own query plans. */
const SQLITE_ONLY = [
  'backups',
  'damage',
  'dialects/sqlite',
  'lock.deep',
  'migrate',
  'open',
  'plans',
  'sweep/plans',
  'upgrade',
].map((name) => `test/bot/store/${name}.test.ts`);

// Flows and browser tests wait for most of their time, so a small machine of two cores has seven files at a time: with four, a
// quarter of its time goes by unused. No test may depend on how fast the machine is.
export default defineConfig({
  test: {
    maxWorkers: 7,
    // A worker loads the program once, not once per file. There are no singletons, so files share nothing.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [
      // As the programs run (docs/decisions.md, *Runtime*).
      '--no-regexp-tier-up',
      // Most of what a test makes is soon garbage, and other workers want the core that would help to collect it: an eighth
      // of the processor time.
      '--single-threaded-gc',
      '--min-semi-space-size=32',
      '--max-semi-space-size=64',
    ],
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/support/property-seed.ts'],
    // They end what is hopeless, and only that: a test says itself, far sooner, what it has waited for in vain.
    testTimeout: 4 * LONGEST_WAIT_MS,
    hookTimeout: 4 * LONGEST_WAIT_MS,
    expect: { poll: { timeout: LONGEST_WAIT_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.postgres.test.ts'],
          globalSetup: [
            'test/support/compile-ahead.ts',
            'test/browser/support/shared-chromium.ts',
            'test/support/bundle.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          env: { TEST_DIALECT: 'postgres' },
          // The same tests of the store, on the other dialect.
          include: [
            'test/bot/store/**/*.test.ts',
            'test/bot/webhooks/receive.test.ts',
            'test/contract/[1-9]*.test.ts',
            'test/service/store/*.test.ts',
            'test/service/investigation/investigation.test.ts',
            'test/**/*.postgres.test.ts',
            ...(process.env.POSTGRES_FLOWS === 'all' ? ['test/flows/*.test.ts'] : FLOWS_ON_POSTGRES),
          ],
          exclude: [...SQLITE_ONLY, 'test/service/store/sqlite*.test.ts'],
          globalSetup: [
            'test/support/compile-ahead.ts',
            'test/support/postgres/server.ts',
            'test/support/bundle.ts',
          ],
        },
      },
    ],
  },
});
