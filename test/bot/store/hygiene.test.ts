import { expect, it } from 'vitest';
import { openTestStore } from '../../support/open-test-store.ts';
import { received, webhooksOn } from '../webhooks/support.ts';

it('counts each firing and recovery that a webhook tells, also those without a message of their own, and a firing once', async () => {
  await using opened = await openTestStore();
  const { store, clock } = opened;
  const hooks = webhooksOn(opened);
  const began = clock.now();
  const [first, second] = ['2026-03-17T12:00:00.000Z', '2026-03-17T12:05:00.000Z'].map((triggeredAt) => ({
    triggeredAt,
  }));
  const told = [
    received(first),
    received(first, { links: [{ text: 'sent again', url: 'https://tool.example.com/1' }] }),
    received({ ...first, kind: 'resolved' }),
    received(second),
    received({ ...second, kind: 'resolved' }),
  ];
  for (const one of told) {
    await hooks.deliver(one);
    await hooks.work();
    await hooks.post();
    await clock.sleep(60_000);
  }
  const { alerts, issues } = await store.hygiene.of('C0AAAAAAA', began - 1);
  expect(issues).toHaveLength(1);
  expect(alerts.map(({ isFiring, at }) => [isFiring, Math.round((at - began) / 60_000)])).toEqual([
    [true, 0],
    [false, 2],
    [true, 3],
    [false, 4],
  ]);
});
