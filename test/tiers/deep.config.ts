import { defineConfig } from 'vitest/config';
import { startingPrograms } from './base.ts';

/** The second tier, `npm run test:deep`: what every landing needs besides `npm test`. */
export default defineConfig({
  test: startingPrograms({
    longestWaitMs: 2 * 60_000,
    sqlite: ['{test,packages/*/test}/**/*.deep.test.ts'],
    postgres: [
      'test/**/*.postgres.deep.test.ts',
      // The first tier's tests of what asks a database, on the other one.
      'test/bot/store/**/*.test.ts',
      'test/bot/webhooks/{receive,placed,pull}.test.ts',
      'test/bot/{tickets/tickets,issues/memory,watching/incidents}.test.ts',
      'test/contract/{3,4.1,4.2,4.3,4.4,4.7,4.9}*.test.ts',
      'test/service/store/*.test.ts',
      'test/service/investigation/investigation.test.ts',
      'test/flows/{alert-to-answer,talking-answer}.test.ts',
    ],
  }),
});
