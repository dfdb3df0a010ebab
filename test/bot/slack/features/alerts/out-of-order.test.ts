import { describe, expect, it } from 'vitest';
import { toolMessage } from '../../support/backfilling.ts';
import { listening } from '../../support/listening.ts';

const WATCHED = 'C0WATCHED';

/** A tool's message as it arrives, written at `ts`. */
function posted(ts: string, name: string, state = 'FIRING:1') {
  return { ...toolMessage(ts, name, state), channel: WATCHED, channel_type: 'channel' };
}

/** Its edit: Slack sends the message as it is now, which was written at `ts`. */
function edited(ts: string, at: string, name: string, state = 'FIRING:1') {
  const message = { ...toolMessage(ts, name, state), edited: { user: 'B0TOOL', ts: at } };
  return {
    type: 'message',
    subtype: 'message_changed',
    channel: WATCHED,
    channel_type: 'channel',
    ts: at,
    message,
  };
}

type Listening = Awaited<ReturnType<typeof listening>>;

async function issues({ store, clock }: Listening) {
  const rows = await store.issues.pending(clock.now(), 10);
  return rows.map(({ threadTs, repeats, recoveredAt }) => ({
    thread: threadTs,
    repeats,
    recovered: recoveredAt !== null,
  }));
}

const one = (more: object = {}) => [{ thread: '1700000100.000000', repeats: 0, recovered: false, ...more }];

describe('deliveries that come twice, late, or in another order', () => {
  it('an alert and its twins are one issue', async () => {
    const l = await listening();
    for (let times = 0; times < 3; times += 1) await l.event(posted('1700000100.000000', 'DiskFull'));
    expect(await issues(l)).toEqual(one());
  });

  it('an edit before its original is the same issue', async () => {
    const l = await listening();
    await l.event(edited('1700000100.000000', '1700000105.000000', 'DiskFull'));
    await l.event(posted('1700000100.000000', 'DiskFull'));
    expect(await issues(l)).toEqual(one());
  });

  it('a recovery by an edit, before its original, counts for it', async () => {
    const l = await listening();
    await l.event(edited('1700000100.000000', '1700000200.000000', 'DiskFull', 'RESOLVED'));
    await l.event(posted('1700000100.000000', 'DiskFull'));
    expect(await issues(l)).toEqual(one({ recovered: true }));
    await l.event(posted('1700000100.000000', 'DiskFull'));
    expect(await issues(l)).toEqual(one({ recovered: true }));
  });

  it('a recovery that comes after its alert is noted', async () => {
    const l = await listening();
    await l.event(posted('1700000100.000000', 'DiskFull'));
    await l.event(posted('1700000200.000000', 'DiskFull', 'RESOLVED'));
    expect(await issues(l)).toEqual(one({ recovered: true }));
  });

  it('a recovery that comes before its alert counts for it', async () => {
    const l = await listening();
    await l.event(posted('1700000200.000000', 'DiskFull', 'RESOLVED'));
    await l.event(posted('1700000100.000000', 'DiskFull'));
    expect(await issues(l)).toEqual(one({ recovered: true }));
  });

  it('an alert that fires again after its recovery is firing, in whatever order that comes', async () => {
    const l = await listening();
    await l.event(posted('1700000100.000000', 'DiskFull'));
    await l.event(posted('1700000300.000000', 'DiskFull'));
    await l.event(posted('1700000200.000000', 'DiskFull', 'RESOLVED'));
    expect(await issues(l)).toEqual(one({ repeats: 1, recovered: false }));
  });
});
