import { expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { known, type Objective } from '../../../src/service/telemetry/model.ts';
import { madeSource } from '../../support/made-source.ts';

const NOW = Date.UTC(2026, 5, 1, 14, 20);
const DAY = 24 * 3_600_000;
const OF_PAYMENTS: Objective = {
  ...{ name: 'availability', left: 0.6, periodMs: 30 * DAY, burnRate: 432 },
  query: 'slo:period_error_budget_remaining:ratio{sloth_slo="availability"}',
};

async function asked(question: string, objective: Partial<Objective> = {}): Promise<string> {
  const source = {
    ...madeSource({ services: [{ name: 'payments' }, { name: 'checkout' }], metrics: [] }),
    objectives: async (service: string) =>
      known(service === 'payments' ? [{ ...OF_PAYMENTS, ...objective }] : []),
  };
  const issues = { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) };
  const options = { id: () => 'id', budget: UNLIMITED };
  return (await answerOf(question, { now: NOW, before: null, issues }, source, options)).answer;
}

const SAID =
  '**payments**: 60% of the error budget of `availability` (30 days) is left, and used up at about 15:20 UTC, at the rate of the last 5 min.';

it.each([
  'how much error budget is left for payments?',
  'when is the error budget of payments used up?',
  'are we burning our error budget?',
])('%s', async (question) => {
  expect(await asked(question)).toBe(`${SAID}\n\nQuery: \`${OF_PAYMENTS.query}\``);
});

it.each<[string, Partial<Objective>, string]>([
  [
    'one that is used up',
    { left: -0.2 },
    'The error budget of `availability` (30 days) is used up: 120% of it is spent.',
  ],
  [
    'one that lasts',
    { burnRate: 0.3 },
    '60% of the error budget of `availability` (30 days) is left, and is spent no faster than it allows.',
  ],
  [
    'one whose pace is not recorded',
    { burnRate: null },
    '60% of the error budget of `availability` (30 days) is left.',
  ],
])('%s', async (_, objective, said) => {
  expect(await asked('how much error budget is left for payments?', objective)).toContain(
    `**payments**: ${said}\n`,
  );
});

it('says nothing of an objective of another service', async () => {
  expect(await asked('how much error budget is left for checkout?')).not.toContain('error budget of');
});
