import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { answerOf } from '../../../src/service/agent/answer.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { type AlertRule, known, type Series } from '../../../src/service/telemetry/model.ts';
import { madeSource } from '../../support/made-source.ts';

const NOW = Date.UTC(2026, 9, 20, 12, 0);
const NAME = '[click](https://evil.example) | `x`';
const RULE: AlertRule = {
  name: NAME,
  expression: 'queue_depth',
  threshold: { comparison: '>', value: 100 },
  labels: {},
  annotations: {},
  heldFor: 60_000,
};

function asked(question: string, measured: readonly number[]) {
  const at = measured.map((_, n) => NOW - (measured.length - n) * 60_000);
  const points = { times: Float64Array.from(at), values: Float64Array.from(measured) };
  const series: Series = {
    signal: { id: 'x', name: 'x', label: 'x', measure: 'other', unit: '', bad: 'high', metricType: 'gauge' },
    service: 'orders',
    instance: null,
    edge: null,
    labels: { alertname: NAME },
    limit: null,
    query: null,
    provider: 'made',
    providerUrl: null,
    points,
  };
  const source = {
    ...madeSource({ services: [{ name: 'orders' }], metrics: [] }),
    alertRules: async () => known([RULE]),
    evaluate: async () => known(measured.length === 0 ? [] : [series]),
  };
  const issues = { byNumber: async () => null, list: async () => ({ total: 0, newest: [] }) };
  return answerOf(question, { now: NOW, before: null, issues }, source, {
    id: randomUUID,
    budget: UNLIMITED,
  });
}

it.each([
  ['replayed', `replay ${NAME}`, Array<number>(30).fill(200)],
  ['replayed without data', `replay ${NAME}`, []],
  ['listed', 'which alert rules are noisy?', Array<number>(30).fill(1)],
])('a rule’s name is code where it is %s: a link in it is none', async (_how, question, measured) => {
  const { answer } = await asked(question, measured);
  const outsideOfCode = answer.replace(/```[\s\S]*?```|`[^`]*`/gu, '');
  expect(answer).toContain('[click](https://evil.example) ');
  expect(outsideOfCode).not.toContain('evil');
});

it('asked what never fired, it says since when anything is recorded', async () => {
  const { answer } = await asked('which alerts never fired?', Array<number>(30).fill(1));
  expect(answer).toMatch(/^\*\*1 of 1 alert rules fired\*\* in the last 14 days:/u);
  expect(answer).toContain('Nothing is recorded before 11:30 UTC, so this covers only the time since then.');
});
