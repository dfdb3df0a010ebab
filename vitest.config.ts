import { defineConfig } from 'vitest/config';

// Three projects, one after another: units and whole-program flows run side by side, on both cores of a small machine (by
// itself Vitest leaves one alone; flows mostly wait); the browser runs one file at a time.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/flows/**', 'test/browser/**'],
          testTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'flows',
          include: ['test/flows/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 180_000,
          // By itself a second, which a busy machine takes for one picture.
          expect: { poll: { timeout: 30_000 } },
          fileParallelism: false,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
});
