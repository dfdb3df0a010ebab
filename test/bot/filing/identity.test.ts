import { describe, expect, it } from 'vitest';
import { alertIdentity } from '../../../src/bot/filing/identity.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { anAlert } from '../../support/an-alert.ts';
import { openTestStore } from '../../support/open-test-store.ts';

async function detailOf(title: string): Promise<string | undefined> {
  await using opened = await openTestStore();
  const problem = await alertIdentity(
    opened.store,
    anAlert({ title }),
    ChannelSettings.parse({}),
    'production',
  );
  return problem?.detail.split('|')[0];
}

describe('what tells alerts of one fingerprint apart', () => {
  it.each([
    ['pay-db-2 DOWN', 'pay-db-2 UP'],
    ['checkout » main - #12 Failure', 'checkout » main - #14 Back to normal'],
    ['checkout » main - #12 Failure', 'checkout » main - #13 Still Failing'],
    ['CPU is at 91.5% on web-1', 'CPU is at 97% on web-1'],
    ['Resolved: Disk full', 'Disk full'],
    ['queue depth 1200 over 1000', 'Queue  depth 14 over 1000'],
  ])('is not a reading, nor the state: “%s”, “%s”', async (one, other) => {
    expect(await detailOf(one)).toBe(await detailOf(other));
  });

  it.each([
    ['CPU is high on web-1', 'CPU is high on web-2'],
    ['scale up failed in eu', 'scale down failed in eu'],
    ['pay-db-2 DOWN', 'pay-db-3 DOWN'],
  ])('is a name, and what happens: “%s”, “%s”', async (one, other) => {
    expect(await detailOf(one)).not.toBe(await detailOf(other));
  });
});
