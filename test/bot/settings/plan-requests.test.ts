import { describe, expect, it, onTestFinished } from 'vitest';
import { planByRequest, readPlanRequest } from '../../../src/bot/settings/plan-requests.ts';
import { cancelPlan } from '../../../src/bot/settings/plans.ts';
import { ChannelSettings } from '../../../src/bot/store/channel-settings.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const NOW = Date.UTC(2026, 6, 10, 15);
const HOUR = 3_600_000;

describe('planned work that a program asks for', () => {
  it('has a scope, an end or a length, and an id by which it is the same again', () => {
    expect(
      readPlanRequest(
        { scope: ['payments'], minutes: 60, title: 'deploy', id: 'build-7', channel: 'C01' },
        NOW,
      ),
    ).toEqual({
      id: 'build-7',
      channel: 'C01',
      planned: { scope: ['payments'], from: NOW, until: NOW + HOUR, title: 'deploy' },
      endsNow: false,
    });
    const twice = [0, 1].map(() =>
      readPlanRequest({ scope: ['a'], until: '2026-07-10T18:00:00+02:00' }, NOW),
    );
    expect(twice[0]).toMatchObject({ channel: null, planned: { until: NOW + HOUR } });
    expect(twice[0]).toEqual(twice[1]);
  });

  it.each<[string, unknown, string]>([
    ['no object', 7, 'The body must be an object'],
    ['no scope', { minutes: 5 }, 'scope is missing'],
    ['everything', { scope: ['*'], minutes: 5 }, 'Say what it is about: services'],
    ['no end', { scope: ['a'] }, 'Say when it is over: `until` or `minutes`.'],
    ['an end that is no time', { scope: ['a'], until: 'tonight' }, 'until '],
    ['a month', { scope: ['a'], minutes: 43_200 }, 'It has to end within seven days'],
    [
      'an end that is past',
      { scope: ['a'], until: '2026-07-10T10:00:00Z' },
      'It has to end within seven days',
    ],
  ])('with %s is refused in a sentence', (_, payload, sentence) => {
    expect(readPlanRequest(payload, NOW)).toContain(sentence);
  });

  it('is in the channel that it names, or in each that is watched, and moves and ends by its id', async () => {
    const opened = await openTestStore();
    onTestFinished(() => opened[Symbol.asyncDispose]());
    const { store, clock } = opened;
    const now = clock.now();
    for (const channel of ['C01', 'C02']) await store.channels.watch(channel, ChannelSettings.parse({}), '0');
    const ask = (payload: object) => {
      const asked = readPlanRequest(payload, now);
      if (typeof asked === 'string') throw new Error(asked);
      return store.transaction((tx) => planByRequest(tx, asked, { by: 'from:webhook', now }));
    };
    const plans = async () =>
      (await store.flags.plans()).map(({ channel, until }) => [channel, (until - now) / HOUR]);
    const announced = async (channel: string) =>
      store.outbox.get(`announcement:from:webhook:build-7:${channel}`);

    expect(await ask({ scope: ['a'], minutes: 60, id: 'build-7' })).toEqual(['C01', 'C02']);
    expect(await plans()).toEqual([
      ['C01', 1],
      ['C02', 1],
    ]);
    // Nothing is different there before its first alert.
    expect(await announced('C01')).toBeNull();
    expect(await ask({ scope: ['a'], minutes: 120, id: 'build-7', channel: 'C02' })).toEqual(['C02']);
    expect(await plans()).toEqual([
      ['C01', 1],
      ['C02', 2],
    ]);
    // What a person has ended stays so.
    await store.transaction((tx) =>
      cancelPlan(tx, { id: 'from:webhook:build-7:C01', channel: 'C01', by: 'UALICE', now }),
    );
    await ask({ scope: ['a'], minutes: 180, id: 'build-7' });
    expect(await plans()).toEqual([
      ['C01', 0],
      ['C02', 3],
    ]);
    await ask({ scope: ['a'], minutes: 0.0001, id: 'build-7', from: new Date(now - HOUR).toISOString() });
    expect(await plans()).toEqual([
      ['C01', 0],
      ['C02', 0],
    ]);
    expect(await ask({ scope: ['b'], minutes: 5, channel: 'C09' })).toEqual([]);
  });

  it('is announced at once where it names the channel', async () => {
    const opened = await openTestStore();
    onTestFinished(() => opened[Symbol.asyncDispose]());
    const { store, clock } = opened;
    const now = clock.now();
    await store.channels.watch('C01', ChannelSettings.parse({}), '0');
    const asked = readPlanRequest({ scope: ['a'], minutes: 60, channel: 'C01', id: 'x' }, now);
    if (typeof asked === 'string') throw new Error(asked);
    await store.transaction((tx) => planByRequest(tx, asked, { by: 'mcp:ci', now }));
    const row = await store.outbox.get('announcement:mcp:ci:x:C01');
    expect(JSON.parse(row?.payload ?? '{}')).toMatchObject({ what: 'planned', by: 'mcp:ci', scope: ['a'] });
  });
});
