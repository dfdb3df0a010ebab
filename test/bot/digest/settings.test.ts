import { describe, expect, it, onTestFinished } from 'vitest';
import { type DigestChange, digestState, digestWords, setDigest } from '../../../src/bot/digest/settings.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const NOW = Date.parse('2026-11-19T10:00:00Z');
const times = { days: '12345', time: '09:00', zone: 'Europe/Berlin' };
const change = { cause: 'V1', channel: 'C1', by: 'U1', times, basedOn: 'off', now: NOW };

async function world() {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store } = opened;
  return {
    store,
    set: (more: Partial<DigestChange>) => store.transaction((tx) => setDigest(tx, { ...change, ...more })),
    announced: async () =>
      (await store.outbox.due(Number.MAX_SAFE_INTEGER, 9)).map(({ key, kind, channel, payload }) => ({
        key,
        kind,
        channel,
        payload: JSON.parse(payload),
      })),
    audit: async () => (await store.audit.ofChannel('C1', 9)).entries,
  };
}

describe('the digest of a channel', () => {
  it('that is set is kept, written down and announced', async () => {
    const w = await world();
    expect(await w.set({})).toBe('saved');
    expect(await w.store.digests.get('C1')).toEqual({
      channel: 'C1',
      ...times,
      nextAt: Date.parse('2026-11-20T08:00:00Z'),
      lastAt: null,
    });
    expect(await w.announced()).toEqual([
      {
        key: 'announcement:V1',
        kind: 'announcement',
        channel: 'C1',
        payload: { what: 'digest', by: 'U1', when: 'Monday to Friday at 09:00 (Europe/Berlin)' },
      },
    ]);
    expect(await w.audit()).toEqual([
      { at: NOW, who: 'U1', what: 'set the digest of C1: Monday to Friday at 09:00 (Europe/Berlin)' },
    ]);
  });

  it('that is set by the same act again, or as it is already, changes nothing', async () => {
    const w = await world();
    await w.set({});
    expect(await w.set({ by: 'U2', basedOn: 'off' })).toBe('saved');
    expect(await w.set({ cause: 'V2', basedOn: '12345 09:00 Europe/Berlin' })).toBe('saved');
    expect([await w.audit(), await w.announced()].map((list) => list.length)).toEqual([1, 1]);
  });

  it('that is turned off is removed, and everybody is told', async () => {
    const w = await world();
    await w.set({});
    const basedOn = digestState(await w.store.digests.get('C1'), {});
    expect(await w.set({ cause: 'V2', basedOn, times: null })).toBe('saved');
    expect(await w.store.digests.get('C1')).toBe(null);
    expect((await w.announced()).at(-1)).toMatchObject({ payload: { what: 'digest', by: 'U1', when: null } });
    expect((await w.audit()).map(({ what }) => what).at(-1)).toBe('turned off the digest of C1');
  });

  it('says once a week which alerts nobody needed, where the channel wants it, until it no longer does', async () => {
    const w = await world();
    await w.set({ hygiene: true });
    expect((await w.store.channels.get('C1')).settings.hygiene).toBe(true);
    const basedOn = '12345 09:00 Europe/Berlin hygiene';
    expect(await w.set({ cause: 'V2', hygiene: true, basedOn })).toBe('saved');
    expect(await w.set({ cause: 'V3', hygiene: false, basedOn })).toBe('saved');
    expect((await w.store.channels.get('C1')).settings.hygiene).toBe(false);
    const when = 'Monday to Friday at 09:00 (Europe/Berlin)';
    expect((await w.announced()).map(({ payload }) => payload.when)).toEqual([
      `${when}, with alert hygiene once a week`,
      when,
    ]);
  });

  it('that comes at another time from now on still tells of all since the last', async () => {
    const w = await world();
    await w.set({});
    await w.store.digests.notified('C1', NOW, NOW + 1);
    await w.set({
      cause: 'V2',
      basedOn: '12345 09:00 Europe/Berlin',
      times: { ...times, days: '1', time: '17:30' },
    });
    expect(await w.store.digests.get('C1')).toMatchObject({
      days: '1',
      lastAt: NOW,
      nextAt: Date.parse('2026-11-23T16:30:00Z'),
    });
  });
});

it.each([
  ['1234567', 'every day at 09:00 (Etc/UTC)'],
  ['12345', 'Monday to Friday at 09:00 (Etc/UTC)'],
  ['67', 'Saturday and Sunday at 09:00 (Etc/UTC)'],
  ['135', 'Monday, Wednesday and Friday at 09:00 (Etc/UTC)'],
  ['4', 'Thursday at 09:00 (Etc/UTC)'],
])('days %s are %s', (days, words) => {
  expect(digestWords({ days, time: '09:00', zone: 'Etc/UTC' }, {})).toBe(words);
});
