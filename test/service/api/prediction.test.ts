import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createServiceClient } from '../../../src/contract/client/client.ts';
import { startService } from '../../../src/service/server.ts';
import { madeSource } from '../../support/made-source.ts';
import { instantClock, manualClock } from '../../support/manual-clock.ts';
import { MINUTE, ONSET, system } from '../investigation/freight.ts';
import { temporaryFolder } from '../support.ts';

it('a prediction comes with its facts, and what became of it when it is asked; a cause that it refutes is not named again', async () => {
  const clock = manualClock(ONSET + 8 * MINUTE);
  const made = system({});
  const metrics = made.metrics.map((one) => ({ ...one, query: `${one.measure} of ${one.service}` }));
  const file = join(temporaryFolder(), 'service.db');
  const back = {
    ...{ at: ONSET + 9 * MINUTE, service: 'tariffs', kind: 'deploy', title: 'tariffs 1.2.0 (was 1.3.0)' },
    ...{ version: '1.2.0', ref: null, url: null, details: null },
  };
  const elsewhere = { ...back, service: 'printer', title: 'printer 2.0.0', version: '2.0.0' };
  const goesBack = { ...elsewhere, title: 'printer 1.9.0 (was 2.0.0)', version: '1.9.0', before: '2.0.0' };
  const telemetry = madeSource({ ...made, metrics, changes: [back, elsewhere, goesBack] });
  const service = await startService({ file, keys: { key: 'acme' }, clock, telemetry });
  onTestFinished(service.close);
  const { issues, close } = createServiceClient({
    url: service.url,
    apiKey: 'key',
    version: '2026-03-17',
    clock: instantClock(clock.now()),
  });
  onTestFinished(() => close());
  const issue = { title: 'Portal is slow', description: 'Half a second', environment: 'production' };
  const { uuid } = await issues.create({ ...issue, context: { service: 'portal' } });
  const ended = (latestVersion: number) =>
    expect.poll(() => issues.get(uuid)).toMatchObject({ status: 'ready_to_fix', latestVersion });
  await ended(1);
  const { prediction } = await issues.facts(uuid);
  expect(prediction).toMatchObject({ after: 'recovery', withinSeconds: 180, place: 'tariffs' });
  expect(prediction?.sentence).toMatch(/^If this is right, /u);

  const since = new Date(clock.now()).toISOString();
  expect(await issues.prediction(uuid, {})).toEqual({ changes: [] });
  expect(await issues.prediction(uuid, { since })).toEqual({ since, changes: [] });
  clock.advance(10 * MINUTE);
  expect(await issues.prediction(uuid, { since })).toMatchObject({
    ...{ since, outcome: 'did_not' },
    // What was changed since at what the verdict names, and what was taken back anywhere.
    changes: [back, goesBack].map(({ at, title }) => ({ at: new Date(at).toISOString(), title })),
  });

  const named = async (version: number) =>
    (await issues.results(uuid, { version })).causalTreeV2?.nodes?.[0]?.title;
  const first = await named(1);
  await issues.update(uuid, 'investigating');
  await ended(2);
  expect(await named(2)).not.toBe(first);
});
