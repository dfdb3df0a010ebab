import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// Flows and browser tests wait for much of their time, so a small machine of two cores has four files at a time; the units
// come last and fill what the long ones leave. No test may depend on how fast the machine is.
export default defineConfig({
  test: {
    maxWorkers: 4,
    // The programs that tests start need half as long with it; Node itself sees to it that nothing in there is out of date.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'gumshoe-compiled') },
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/support/property-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/flows/**', 'test/browser/**'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'flows',
          include: ['test/flows/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 180_000,
          // Files beside it may keep the page's answer for longer than a second.
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
