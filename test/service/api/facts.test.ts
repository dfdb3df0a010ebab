import { expect, it, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../src/contract/client/client.ts';
import { instantClock, manualClock } from '../../support/manual-clock.ts';
import { START, testService } from '../support.ts';

const MINUTE = 60_000;
const POOL = {
  kind: 'connection_pool',
  service: 'payments',
  from: START - 8 * MINUTE,
  to: START + 5 * MINUTE,
} as const;

it('the facts of an investigation are values: of whom, since when, how bad, from which query', async () => {
  const clock = manualClock();
  const service = await testService({ clock, investigationMs: 0 });
  service.service().inject(POOL);
  const { uuid } = await service.create({
    title: 'High error ratio at payments',
    context: { service: 'payments' },
  });
  const seen = async () => (await service.get(`/issues/${uuid}`)).body;
  await expect.poll(seen, { interval: 20 }).toMatchObject({ status: 'ready_to_fix' });

  const of = { apiKey: 'acme-key', version: '2026-03-17', clock: instantClock(START) };
  const client = createServiceClient({ url: service.service().url, ...of });
  onTestFinished(() => client.close());
  const { facts = [] } = await client.issues.facts(uuid);
  expect(facts.find(({ code }) => code === 'connections')).toEqual({
    what: 'departure',
    code: 'connections',
    key: 'departure connections payments///',
    of: { service: 'payments' },
    since: '2026-03-17T11:52:30.000Z',
    level: { now: 40, before: 13, unit: '{connection}', limit: 40 },
    from: {
      source: 'demo',
      from: '2026-03-17T09:00:00.000Z',
      to: '2026-03-17T12:00:00.001Z',
      stepSeconds: 30,
    },
    sentence: 'payments connections in use rose from 13 to 40.',
  });
  expect((await service.get(`/issues/${uuid}/facts?version=9`)).status).toBe(404);
});
