import { expect, it } from 'vitest';
import { readOwners } from '../../../src/lib/owners.ts';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { combine } from '../../../src/service/telemetry/combined.ts';
import { madeSource } from '../../support/made-source.ts';

const SYSTEM = {
  services: [
    { name: 'mysqld', instances: ['mysql-core-1.dc.example:9104', 'mysql-pay-1.dc.example:9104'] },
    { name: 'mysql-core-1.dc.example' },
    { name: 'redisd', instances: ['cache-1:9121', 'cart-2:9121'] },
    { name: 'api.cardlane.example' },
  ],
  metrics: [],
};

/** The answer where the service’s own file has these lines, and the client tells nothing. */
async function asked(question: string, lines: string): Promise<string> {
  const telemetry = combine([{ ...madeSource(SYSTEM), owners: readOwners(lines).entries }]);
  const issues = { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) };
  const context = { now: Date.UTC(2026, 8, 14), before: null, issues };
  return (await answerOf(question, context, telemetry, { id: () => 'id', budget: UNLIMITED })).answer;
}

const OWNERS = 'mysql-* team-dba\ncache-1 team-cache\ncart-* team-cart\napi team-api\n';

it.each([
  ['who do i wake for mysql', '**team-dba** owns mysqld. I don’t know who is on call.'],
  ['who owns core-1', '**team-dba** owns mysql-core-1.dc.example.'],
  ['who owns redisd', '**team-cache** owns cache-1. **team-cart** owns cart-*.'],
  ['who owns cardlane', 'I don’t know who owns cardlane: add it to the `OWNERS` file.'],
  ['who owns that certificate', 'I don’t know who owns certificate: add it to the `OWNERS` file.'],
])('%s', async (question, answer) => {
  expect(await asked(question, OWNERS)).toBe(answer);
});

it('who owns whatever nobody else does owns what is known, and no word', async () => {
  const lines = `* platform\n${OWNERS}`;
  expect(await asked('who owns mysqld', lines)).toBe('**team-dba** owns mysqld.');
  expect(await asked('who owns api.cardlane.example', lines)).toBe('**platform** owns api.cardlane.example.');
  expect(await asked('who owns cardlane', lines)).toBe('**platform** owns cardlane.');
  expect(await asked('who owns ledger', lines)).toMatch(/^I don’t know who owns ledger/u);
});
