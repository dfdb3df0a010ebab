import { expect, it } from 'vitest';
import { whenAborted } from '../../../src/lib/clock.ts';
import { createRunner } from '../../../src/service/investigation/runner.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import { unknown } from '../../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { instantClock, manualClock } from '../../support/manual-clock.ts';
import { START } from '../support.ts';

const unreachable = (): never => {
  throw new Error('telemetry is out of reach');
};
const telemetry: TelemetrySource = {
  name: 'broken',
  pastMs: 0,
  services: unreachable,
  edges: unreachable,
  signals: unreachable,
  series: unreachable,
  logs: unreachable,
  spans: unreachable,
  changes: unreachable,
  check: unreachable,
};

it('ends a version as failed when the investigation throws, and logs why', async () => {
  const store = await openStore({ file: ':memory:' });
  const logged: unknown[] = [];
  const log = {
    warn: () => undefined,
    error: (fields: Record<string, unknown>, message: string) => logged.push([message, fields]),
  };
  const clock = instantClock(START);
  const runner = createRunner({
    store,
    telemetry,
    limits: { requests: 300, ms: 60_000 },
    clock,
    log,
  });
  const issue = await store.issues.create(
    'acme',
    {
      number: 1,
      title: 'Cart is slow',
      description: 'p95 above 2 s',
      environment: 'production',
      severity: 'low',
      triggeredAt: START,
      context: {},
    },
    START,
  );
  const version = await store.versions.start(issue.uuid, START);

  runner.start();

  await expect
    .poll(() => store.versions.find(issue.uuid, 1))
    .toMatchObject({
      status: 'FAILED',
      description: 'The investigation failed.',
      findings: null,
    });
  expect(await store.issues.byId('acme', issue.uuid)).toMatchObject({ status: 'ready_to_fix' });
  expect(logged).toEqual([
    ['an investigation failed', { err: new Error('telemetry is out of reach'), version: version.uuid }],
  ]);
  await runner.stop();
  await store.close();
});

it('ends ten investigations within two minutes where the source answers none of them', async () => {
  const store = await openStore({ file: ':memory:' });
  const clock = manualClock(START);
  const late = unknown('it did not answer');
  const source = partialSource({
    name: 'silent',
    services: (_, budget) => whenAborted(budget.signal).then(() => late),
    check: unreachable,
  });
  const runner = createRunner({
    store,
    telemetry: source,
    limits: { requests: 300, ms: 60_000 },
    clock,
    log: { warn: () => undefined, error: () => undefined },
  });
  const creating = Array.from({ length: 10 }, (_, i) =>
    store.issues.create(
      'acme',
      {
        number: i + 1,
        title: `Cart ${i} is slow`,
        description: 'p95 above 2 s',
        environment: 'production',
        severity: 'low',
        triggeredAt: START,
        context: {},
      },
      START,
    ),
  );
  const issues = await Promise.all(creating);
  for (const { uuid } of issues) await store.versions.start(uuid, START);
  runner.start();
  const statuses = async () => {
    const versions = await Promise.all(issues.map(({ uuid }) => store.versions.find(uuid, 1)));
    return versions.map((version) => version?.status);
  };
  while ((await statuses()).includes('RUNNING') && clock.now() < START + 600_000) await clock.pass(250);

  expect(await statuses()).toEqual(Array(10).fill('FAILED'));
  expect(clock.now() - START).toBeLessThanOrEqual(120_000);
  await runner.stop();
  await store.close();
});
