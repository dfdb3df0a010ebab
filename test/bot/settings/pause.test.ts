import { describe, expect, it, onTestFinished } from 'vitest';
import { pauseFiling, resumeFiling } from '../../../src/bot/settings/pause.ts';
import type { Store } from '../../../src/bot/store/open.ts';
import { auditOf } from '../../support/audit.ts';
import { deciding } from '../../support/deciding.ts';

async function world() {
  const d = await deciding();
  onTestFinished(() => d[Symbol.asyncDispose]());
  await d.settings({}, 'C1');
  await d.settings({}, 'C2');
  const act = (cause: string) => ({
    cause,
    by: 'U1',
    moment: { ts: null, receivedAt: d.clock.now() },
    now: d.clock.now(),
  });
  return {
    ...d,
    pause: (cause = 'pause-1') => d.store.transaction((tx) => pauseFiling(tx, act(cause))),
    resume: (cause = 'resume-1') => d.store.transaction((tx) => resumeFiling(tx, act(cause))),
  };
}

async function told(store: Store, cause: string, channel: string) {
  const row = await store.outbox.get(`announcement:${cause}:${channel}`);
  return row === null ? null : JSON.parse(row.payload);
}

describe('a pause', () => {
  it('holds alerts in every channel, which are told once', async () => {
    const w = await world();
    expect(await w.pause()).toBe(null);
    expect(await w.alert({ fingerprint: 'a' })).toMatchObject({
      decision: 'held',
      reason: { code: 'held', by: 'paused' },
      issueId: null,
    });
    expect(await told(w.store, 'pause-1', 'C1')).toEqual({ what: 'paused', by: 'U1' });
    expect(await told(w.store, 'pause-1', 'C2')).toEqual({ what: 'paused', by: 'U1' });
    expect(auditOf(w.file)).toEqual(['U1 paused filing']);
  });

  it('that holds already is what a second one is answered with', async () => {
    const w = await world();
    const at = w.clock.now();
    await w.pause();
    await w.clock.sleep(60_000);
    expect(await w.pause('pause-2')).toEqual({ already: { by: 'U1', at } });
    expect([await told(w.store, 'pause-2', 'C1'), auditOf(w.file)]).toEqual([null, ['U1 paused filing']]);
  });
});

describe('what came during a pause', () => {
  it('is offered in its channel under one message, and the channels are told how much it is', async () => {
    const w = await world();
    await w.pause();
    const { holdId } = await w.alert({ fingerprint: 'a' });
    await w.alert({ fingerprint: 'b' });
    expect(await w.store.outbox.get(`held:${holdId}`)).toBe(null);
    expect(await w.resume()).toEqual({ alerts: 2, channels: 1 });
    expect(await w.store.outbox.get(`held:${holdId}`)).toMatchObject({
      kind: 'held',
      channel: 'C1',
      wanted: 1,
    });
    expect(await w.store.holds.get(holdId ?? '')).toMatchObject({ state: 'quiet' });
    expect(await told(w.store, 'resume-1', 'C1')).toEqual({ what: 'resumed', by: 'U1', held: 2 });
    expect(await told(w.store, 'resume-1', 'C2')).toEqual({ what: 'resumed', by: 'U1', held: 0 });
    expect(auditOf(w.file).at(-1)).toBe('U1 resumed filing; 2 alerts on hold');
    expect(await w.alert({ fingerprint: 'c' })).toMatchObject({ decision: 'filed' });
  });

  it('and has recovered since is not offered', async () => {
    const w = await world();
    await w.pause();
    const { holdId } = await w.alert({ fingerprint: 'a' });
    await w.alert({ fingerprint: 'a', kind: 'resolved' });
    expect(await w.resume()).toEqual({ alerts: 0, channels: 0 });
    expect(await w.store.outbox.get(`held:${holdId}`)).toBe(null);
    expect(await w.store.holds.get(holdId ?? '')).toMatchObject({ state: 'closed' });
  });

  it('is offered also in a channel that was unwatched meanwhile', async () => {
    const w = await world();
    await w.pause();
    await w.alert({ fingerprint: 'a' }, { channel: 'C2' });
    await w.store.channels.unwatch('C2');
    await w.resume();
    expect(await told(w.store, 'resume-1', 'C2')).toEqual({ what: 'resumed', by: 'U1', held: 1 });
  });

  it('is offered once: a second pause has its own', async () => {
    const w = await world();
    await w.pause();
    const first = await w.alert({ fingerprint: 'a' });
    await w.resume();
    await w.pause('pause-2');
    const second = await w.alert({ fingerprint: 'b' });
    expect(second.holdId).not.toBe(first.holdId);
    expect(await w.resume('resume-2')).toEqual({ alerts: 1, channels: 1 });
    expect(await w.store.outbox.get(`held:${first.holdId}`)).toMatchObject({ wanted: 1 });
  });

  it('is nothing where nothing was paused', async () => {
    const w = await world();
    expect(await w.resume()).toBe(null);
    expect([await told(w.store, 'resume-1', 'C1'), auditOf(w.file)]).toEqual([null, []]);
  });
});
