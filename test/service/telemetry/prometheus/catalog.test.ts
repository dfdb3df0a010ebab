import { expect, it, onTestFinished } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import type { MetricInfo } from '../../../../src/service/telemetry/model.ts';
import { createPrometheusSource } from '../../../../src/service/telemetry/prometheus/source.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { Refusal, type Route, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };

const described = (type: string, help: string) => [{ type, help, unit: '' }];

/** What a server with these series has, of so many samples a scrape. */
async function catalogOf(
  series: readonly Record<string, string>[],
  { samples = 100, more = {} }: { samples?: number; more?: Readonly<Record<string, Route>> } = {},
): Promise<Record<string, Omit<MetricInfo, 'name'>>> {
  const { url } = await scriptedSource({
    '/api/v1/label/__name__/values': {
      parameters: ['start', 'end'],
      answer: () => ({ status: 'success', data: [...new Set(series.map((one) => one.__name__))] }),
    },
    '/api/v1/metadata': {
      parameters: ['limit_per_metric'],
      answer: () => ({
        status: 'success',
        data: {
          rabbitmq_queue_consumers: described('gauge', 'Consumers on a queue'),
          pay_seconds: described('histogram', 'How long charges take.'),
          pay_charges: described('counter', 'Charges.'),
        },
      }),
    },
    '/api/v1/query': {
      method: '*',
      parameters: ['query', 'time'],
      answer: ({ parameters: { query = '' } }) => {
        const value = [NOON / 1000, String(samples)];
        const result = query.startsWith('sum(') ? [{ metric: {}, value }] : asResult(series);
        return { status: 'success', data: { resultType: 'vector', result } };
      },
    },
    ...more,
  });
  const source = createPrometheusSource({ url }, { clock: manualClock(NOON) });
  onTestFinished(() => source.close());
  const metrics = await answerOf(source.catalog?.(WINDOW, UNLIMITED) ?? Promise.reject(new Error('none')));
  return Object.fromEntries(metrics.map(({ name, ...rest }) => [name, rest]));
}

const asResult = (series: readonly Record<string, string>[]) =>
  series.map((metric) => ({ metric, value: [NOON / 1000, '1'] }));

const QUEUES = ['orders', 'refunds'].map((queue) => ({
  __name__: 'rabbitmq_queue_consumers',
  job: 'rabbitmq',
  queue,
}));
const CHARGES = ['pay_seconds_bucket', 'pay_seconds_sum', 'pay_seconds_count', 'pay_charges_total'].map(
  (name) => ({ __name__: name, job: 'pay', ...(name.endsWith('_bucket') && { le: '1' }) }),
);

it('lists every metric once, with its exporter’s words and the values of its labels', async () => {
  expect(await catalogOf([...QUEUES, ...CHARGES])).toEqual({
    pay_charges_total: { type: 'counter', help: 'Charges.', unit: '', labels: { job: ['pay'] } },
    pay_seconds: { type: 'histogram', help: 'How long charges take.', unit: 's', labels: { job: ['pay'] } },
    rabbitmq_queue_consumers: {
      type: 'gauge',
      help: 'Consumers on a queue',
      unit: '',
      labels: { job: ['rabbitmq'], queue: ['orders', 'refunds'] },
    },
  });
});

it('tells the type by the name where the server knows no descriptions', async () => {
  const more = { '/api/v1/metadata': { answer: () => new Refusal(404) } };
  const types = Object.entries(await catalogOf([...QUEUES, ...CHARGES], { more })).map(([name, { type }]) => [
    name,
    type,
  ]);
  expect(Object.fromEntries(types)).toEqual({
    pay_charges_total: 'counter',
    pay_seconds: 'histogram',
    rabbitmq_queue_consumers: 'unknown',
  });
});

it('does not read the labels of a server with more series than it may', async () => {
  const metrics = await catalogOf(QUEUES, { samples: 1_000_000 });
  expect(metrics.rabbitmq_queue_consumers?.labels).toEqual({});
});
