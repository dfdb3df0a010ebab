import { describe, expect, it } from 'vitest';
import { takeMessage } from '../../../../src/bot/slack/features/alerts/messages.ts';
import { ChannelSettings } from '../../../../src/bot/store/channel-settings.ts';
import { backfilling, toolMessage, WATCHED } from '../support/backfilling.ts';

const HOUR = 60;

async function downForTenHours() {
  const b = await backfilling();
  await b.store.channels.watch(WATCHED, ChannelSettings.parse({}), b.minutesAgo(10 * HOUR));
  return b;
}

async function announced(b: Awaited<ReturnType<typeof backfilling>>) {
  const due = await b.store.outbox.due(b.clock.now(), 100);
  return due
    .filter(({ kind }) => kind === 'announcement')
    .map(({ channel, threadTs, payload }) => ({ channel, threadTs, ...JSON.parse(payload) }));
}

describe('what is older than six hours', () => {
  it('is only counted, which is said in the channel once', async () => {
    const b = await downForTenHours();
    const now = b.clock.now();
    b.past.set(WATCHED, [
      toolMessage(b.minutesAgo(9 * HOUR), 'Old'),
      { type: 'message', subtype: 'channel_join', user: 'U1', text: 'joined', ts: b.minutesAgo(8 * HOUR) },
      { ...toolMessage(b.minutesAgo(8 * HOUR), 'Own'), ts: b.minutesAgo(7.5 * HOUR), bot_id: 'B0BOT' },
      toolMessage(b.minutesAgo(7 * HOUR), 'Older'),
      toolMessage(b.minutesAgo(5 * HOUR), 'Recent'),
      { ...toolMessage(b.minutesAgo(4 * HOUR), 'Own'), bot_id: 'B0BOT' },
    ]);
    await b.read();
    expect(await b.decisions()).toEqual([null, null, null, null, 'filed', null]);
    const said = {
      channel: WATCHED,
      threadTs: null,
      what: 'backfilled',
      from: now - 10 * HOUR * 60_000,
      to: now,
      messages: 3,
      older: 2,
      isMore: false,
    };
    expect(await announced(b)).toEqual([said]);
    expect(await b.metrics.text()).toContain('gumshoe_backfilled_messages_total{outcome="too_old"} 2');
    await b.read();
    expect(await announced(b)).toEqual([said]);
  });

  it('does not count what an earlier reading decided on that did not get to its end', async () => {
    const b = await downForTenHours();
    const decided = toolMessage(b.minutesAgo(7 * HOUR), 'Decided');
    b.past.set(WATCHED, [toolMessage(b.minutesAgo(8 * HOUR), 'Old'), decided]);
    await b.gaps.begin();
    await takeMessage({ ...decided, channel: WATCHED, channel_type: 'channel' }, b.deps);
    await b.reader.read();
    expect(await announced(b)).toMatchObject([{ messages: 1, older: 1 }]);
  });

  it('is counted to a bound, and then said to be more', async () => {
    const b = await downForTenHours();
    b.past.set(
      WATCHED,
      Array.from({ length: 10_050 }, (_, n) => toolMessage(b.minutesAgo(9 * HOUR - n / 100), 'Old')),
    );
    await b.read();
    expect(await announced(b)).toMatchObject([{ older: 10_000, isMore: true }]);
  });

  it('is not spoken of where nothing was left out', async () => {
    const b = await downForTenHours();
    b.past.set(WATCHED, [toolMessage(b.minutesAgo(5 * HOUR), 'Recent')]);
    await b.read();
    expect(await b.decisions()).toEqual(['filed']);
    expect(await announced(b)).toEqual([]);
  });
});
