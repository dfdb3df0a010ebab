import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { createReportedChanges } from '../../../src/service/telemetry/changes/reported.ts';
import { hasUnleash, startUnleash } from '../../support/unleash.ts';
import { until } from '../../support/until.ts';
import { temporaryFolder, testService } from '../support.ts';

const TOKEN = 'a-token-of-a-pipeline';

it.skipIf(!hasUnleash())('a flag that is flipped in a real Unleash is a change of its service', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const { service, close } = await testService({ file, clock: systemClock, changesToken: TOKEN });
  const admin = await startUnleash();
  await admin('POST', '/addons', {
    provider: 'webhook',
    enabled: true,
    description: '',
    parameters: {
      url: new URL('/changes/unleash?page=https://unleash.example.com/', service().url).href,
      authorization: `Bearer ${TOKEN}`,
    },
    events: ['feature-environment-enabled', 'feature-environment-disabled', 'feature-updated'],
  });
  const add = (name: string) => admin('POST', '/projects/default/features', { name, type: 'release' });
  const flip = (name: string, to: 'on' | 'off') =>
    admin('POST', `/projects/default/features/${name}/environments/production/${to}`);
  await add('payments.new-cart');
  await add('new-cart');
  await admin('POST', '/features/new-cart/tags', { type: 'simple', value: 'web' });
  await add('dark-mode');
  await flip('payments.new-cart', 'on');
  await flip('payments.new-cart', 'off');
  await flip('new-cart', 'on');
  await flip('dark-mode', 'on');

  await until('all four flips are taken', async () => {
    const metrics = await fetch(new URL('/metrics', service().url));
    return /_changes_total\{outcome="new"\} 4\n/u.test(await metrics.text());
  });
  await close();
  const store = await openStore({ file });
  const window = { from: 0, to: Date.now() + 1 };
  const read = await createReportedChanges(store.changes).changes(window, UNLIMITED);
  await store.close();
  const changes = read.known
    ? read.value.map(({ service: of, title, undo }) => [of, title, undo?.content])
    : [];
  expect(changes.sort()).toEqual(
    [
      [
        'payments',
        'Flag payments.new-cart: feature environment enabled in production',
        'On https://unleash.example.com/projects/default/features/payments.new-cart set the flag back to what it was.',
      ],
      [
        'payments',
        'Flag payments.new-cart: feature environment disabled in production',
        'On https://unleash.example.com/projects/default/features/payments.new-cart set the flag back to what it was.',
      ],
      [
        'web',
        'Flag new-cart: feature environment enabled in production',
        'On https://unleash.example.com/projects/default/features/new-cart set the flag back to what it was.',
      ],
      [
        null,
        'Flag dark-mode: feature environment enabled in production',
        'On https://unleash.example.com/projects/default/features/dark-mode set the flag back to what it was.',
      ],
    ].sort(),
  );
});
