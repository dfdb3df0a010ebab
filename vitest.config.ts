import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// Flows and browser tests mostly wait, so a small machine of two cores has three files at a time; the units come last and
// fill what the long ones leave. No test may depend on how fast the machine is.
export default defineConfig({
  test: {
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
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
