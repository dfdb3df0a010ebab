import { expect, it, onTestFinished } from 'vitest';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { combine } from '../../../src/service/telemetry/combined.ts';
import { createLokiSource } from '../../../src/service/telemetry/loki.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { madeSource } from '../../support/made-source.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { scriptedSource } from '../../support/scripted-source.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 5, 1, 14, 20);

const system = madeSource({
  services: [{ name: 'payments' }],
  metrics: [
    { service: 'payments', measure: 'requests', unit: '{request}/s', at: () => 20 },
    {
      service: 'payments',
      measure: 'errors',
      unit: '1',
      at: (at) => (at >= NOW - 10 * MINUTE ? 0.4 : 0.001),
    },
  ],
});

/** A Loki with lines of these services, which people open at that address. */
async function loki(services: readonly string[], publicUrl: string): Promise<TelemetrySource> {
  const lines = services.map((service_name) => ({
    stream: { service_name },
    values: [[`${NOW - 5 * MINUTE}000000`, 'served a request']],
  }));
  const between = ['start', 'end'];
  const { url } = await scriptedSource({
    '/loki/api/v1/labels': { parameters: between, answer: () => ({ data: ['service_name'] }) },
    '/loki/api/v1/label/service_name/values': { parameters: between, answer: () => ({ data: services }) },
    '/loki/api/v1/index/stats': {
      parameters: ['query', ...between],
      answer: () => ({ streams: 1, chunks: 1, entries: 1, bytes: 9 }),
    },
    '/loki/api/v1/query_range': {
      parameters: ['query', ...between, 'limit', 'direction'],
      answer: () => ({ status: 'success', data: { resultType: 'streams', result: lines } }),
    },
  });
  const source = createLokiSource({ url, publicUrl }, { clock: manualClock(NOW) });
  onTestFinished(source.close);
  return source;
}

/** The step that says where to read on. */
async function stepOf(source: TelemetrySource): Promise<string | undefined> {
  const issue = { title: 'Errors of payments', description: '', environment: 'production' };
  const { results } = await investigate(
    { ...issue, service: 'payments', triggeredAt: NOW, context: {} },
    source,
    { id: () => 'id', now: NOW, budget: UNLIMITED },
  );
  const steps = results.remediation.actions.flatMap((action) => action.steps);
  return steps.find(({ title }) => title.startsWith('Read what'))?.content;
}

it('the logs are a link away where people can open them', async () => {
  const content = await stepOf(combine([system, await loki(['payments'], 'https://loki.example.com')]));
  const [words, url = ''] = content?.split(': ') ?? [];
  expect(words).toBe('payments logs from 14:10 UTC');
  const { origin, searchParams } = new URL(url);
  expect([origin, searchParams.get('query')]).toEqual([
    'https://loki.example.com',
    // Of a small system, all lines are read at once.
    '{service_name=~".+"}',
  ]);
});

it('a source of logs without a line of the service is no missing source', async () => {
  const source = combine([system, await loki(['checkout'], 'https://loki.example.com')]);
  expect(await stepOf(source)).toBe('payments logs from 14:10 UTC.');
});

it('nobody is sent to logs that no source has', async () => {
  expect(await stepOf(system)).toBe(
    'What payments writes where it runs, from 14:10 UTC: no log lines were read.',
  );
});
