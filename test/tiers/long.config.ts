import { defineConfig } from 'vitest/config';
import { propertyTests } from '../support/chaos/properties.ts';
import { startingPrograms } from './base.ts';

// All examples of the property tests, of which the first tier tries a quarter.
process.env.PROPERTY_RUNS = 'all';

/** The third tier, `npm run test:long`: nightly, and before a release. */
export default defineConfig({
  test: startingPrograms({
    longestWaitMs: 5 * 60_000,
    sqlite: ['{test,packages/*/test}/**/*.long.test.ts', ...propertyTests()],
    // Every flow of the first tier, where the second tier has two.
    postgres: ['test/**/*.postgres.long.test.ts', 'test/flows/+([a-z-]).test.ts'],
  }),
});
