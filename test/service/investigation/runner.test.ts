import { expect, it } from 'vitest';
import { createRunner } from '../../../src/service/investigation/runner.ts';
import { openStore } from '../../../src/service/store/store.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';
import { instantClock } from '../../support/manual-clock.ts';
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
  const store = openStore(':memory:');
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
    durationMs: 6000,
    log,
  });
  const issue = store.issues.create(
    'acme',
    {
      title: 'Cart is slow',
      description: 'p95 above 2 s',
      environment: 'production',
      severity: 'low',
      triggeredAt: START,
      context: {},
    },
    START,
  );
  const version = store.versions.start(issue.uuid, START);

  runner.start(version.uuid);

  await expect
    .poll(() => store.versions.find(issue.uuid, 1))
    .toMatchObject({
      status: 'FAILED',
      description: 'The investigation failed. Set the status to `investigating` to retry.',
      findings: null,
    });
  expect(store.issues.byId('acme', issue.uuid)).toMatchObject({ status: 'ready_to_fix' });
  expect(logged).toEqual([
    ['an investigation failed', { err: new Error('telemetry is out of reach'), version: version.uuid }],
  ]);
  await runner.stop();
  store.close();
});
