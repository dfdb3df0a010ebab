import { expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { madeSource } from '../../support/made-source.ts';
import { red } from '../investigation/freight.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 27, 18, 0);

/** `portal` fails for four minutes every half hour, up to `until`; `tariffs` is slow then, and `booking` well. */
async function asked(question: string, until = NOW): Promise<string> {
  const isBad = (at: number) => at < until && (NOW - 10 * MINUTE - at) % (30 * MINUTE) >= 26 * MINUTE;
  const level = (usual: number, bad: number) => (at: number) => (isBad(at) ? bad : usual);
  const made = {
    services: [{ name: 'portal' }, { name: 'tariffs' }, { name: 'booking' }],
    metrics: [
      ...red('portal', { errors: level(0.002, 0.2), latency: () => 0.1 }),
      ...red('tariffs', { errors: () => 0.001, latency: level(0.05, 0.9) }),
      ...red('booking', { errors: () => 0.001, latency: () => 0.02 }),
    ],
  };
  const issues = { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) };
  const context = { now: NOW, before: null, issues };
  return (await answerOf(question, context, madeSource(made), { id: () => 'id', budget: UNLIMITED })).answer;
}

it.each(['is portal flapping?', 'does portal come and go?'])('%s: how often, and when', async (question) => {
  expect(await asked(question)).toMatch(
    /^Yes\. \*\*\d times since 15:\d\d UTC\*\*, about every 30 min: portal error rate left its usual range \(0\.2%\)\. Nothing now\.\n\n(?:- from .*\n?)+$/u,
  );
});

it('has stayed well', async () => {
  expect(await asked('is booking flapping?')).toMatch(
    /^No\. booking error rate has stayed in its usual range since 15:\d\d UTC, where my data begins\.$/u,
  );
});

it('once is not flapping', async () => {
  expect(await asked('is portal flapping?', NOW - 150 * MINUTE)).toMatch(
    /^No\. portal error rate left its usual range once since 15:\d\d UTC, from .*\. Nothing now\.$/u,
  );
});
