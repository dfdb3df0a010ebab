import { defineConfig } from 'vitest/config';
import { BASE } from './test/tiers/base.ts';

/** The first tier, `npm test`: what one runs while working. It starts no process and waits for no machine. */
export default defineConfig({
  test: {
    ...BASE,
    include: ['{test,packages/*/test}/**/*.test.ts'],
    exclude: ['**/*.deep.test.ts', '**/*.long.test.ts'],
    setupFiles: [...BASE.setupFiles, 'test/tiers/no-processes.ts'],
    // Units compute and flows mostly wait: more workers than this only load the program more often.
    maxWorkers: 3,
    // Time passes faster in flows that set neither a clock nor a pace.
    env: { FLOW_PACE: '8' },
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 3 * 60_000,
    hookTimeout: 3 * 60_000,
  },
});
