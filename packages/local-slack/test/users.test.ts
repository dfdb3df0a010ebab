import { expect, test } from 'vitest';
import { clientOf, testWorkspace } from '../testing/index.ts';
import { manualClock } from './support/manual-clock.ts';

test('people live in different zones, whose offset follows the season', async () => {
  const zones = async (start: string) => {
    const workspace = await testWorkspace({ clock: manualClock(Date.parse(start)) });
    const { members = [] } = await clientOf(workspace).users.list({});
    return members
      .filter(({ name }) => name === 'alice' || name === 'carol')
      .map(({ name, tz, tz_label, tz_offset }) => [name, tz, tz_label, tz_offset]);
  };
  expect(await zones('2026-11-20T12:00:00Z')).toEqual([
    ['alice', 'Etc/UTC', 'Coordinated Universal Time', 0],
    ['carol', 'America/New_York', 'Eastern Standard Time', -18_000],
  ]);
  expect(await zones('2026-07-01T12:00:00Z')).toEqual([
    ['alice', 'Etc/UTC', 'Coordinated Universal Time', 0],
    ['carol', 'America/New_York', 'Eastern Daylight Time', -14_400],
  ]);
});
