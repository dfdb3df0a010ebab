import { describe, expect, it } from 'vitest';
import { takeMessage } from '../../../../src/bot/slack/features/alerts/messages.ts';
import { ChannelSettings } from '../../../../src/bot/store/channel-settings.ts';
import { backfilling, type Past, toolMessage, WATCHED } from '../support/backfilling.ts';

type Backfilling = Awaited<ReturnType<typeof backfilling>>;

/** Watched since some time, with a budget that stands in nobody's way. */
async function watchedSince(b: Backfilling, minutes: number, budget = 1_000): Promise<void> {
  const settings = ChannelSettings.parse({ budget: { issues: budget, minutes: 10 } });
  await b.store.channels.watch(WATCHED, settings, b.minutesAgo(minutes));
}

function live(b: Backfilling, message: Past): Promise<void> {
  return takeMessage({ ...message, channel: WATCHED, channel_type: 'channel' }, b.deps);
}

describe('the history of a channel', () => {
  it('is decided on oldest first, whatever the order of Slack: alert, repeat, recovery', async () => {
    const b = await backfilling();
    await watchedSince(b, 60);
    b.past.set(WATCHED, [
      toolMessage(b.minutesAgo(30), 'DiskFull'),
      toolMessage(b.minutesAgo(20), 'DiskFull'),
      toolMessage(b.minutesAgo(10), 'DiskFull', 'RESOLVED'),
      toolMessage(b.minutesAgo(5), 'HighLatency'),
    ]);
    await b.read();
    expect(await b.decisions()).toEqual(['filed', 'repeat', 'recovered', 'filed']);
    const [newer, older] = await b.store.issues.pending(b.clock.now(), 10);
    expect([older?.title, older?.repeats, older?.recoveredAt === null]).toEqual([
      'HighLatency checkout-api (prod shop eu-west-1 critical)',
      0,
      true,
    ]);
    expect([newer?.repeats, newer?.recoveredAt === null]).toEqual([1, false]);
    expect((await b.store.channels.position(WATCHED)).gapFrom).toBeNull();
  });

  it('is read page by page to its end', async () => {
    const b = await backfilling();
    await watchedSince(b, 60);
    b.past.set(
      WATCHED,
      Array.from({ length: 450 }, (_, n) => toolMessage(b.minutesAgo(50 - n / 10), `Alert${n % 3}`)),
    );
    await b.read();
    const decisions = await b.decisions();
    expect(decisions.filter((decision) => decision === 'filed')).toHaveLength(3);
    expect(decisions.filter((decision) => decision === 'repeat')).toHaveLength(447);
    const reads = b.slack.calls.filter(({ method }) => method === 'conversations.history');
    expect(reads.map(({ args }) => [args.cursor, args.limit])).toEqual([
      [undefined, '200'],
      ['200', '200'],
      ['400', '200'],
    ]);
  });

  it('leaves every other work its turn, however much it is', async () => {
    const b = await backfilling();
    await watchedSince(b, 60);
    const past = Array.from({ length: 100 }, (_, n) => toolMessage(b.minutesAgo(50 - n / 10), 'DiskFull'));
    b.past.set(WATCHED, past);
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    turn();
    await b.read();
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(past.length);
  });

  it('again changes nothing: a second gap asks for no second issue, repeat or message', async () => {
    const b = await backfilling();
    await watchedSince(b, 60);
    b.past.set(WATCHED, [
      toolMessage(b.minutesAgo(30), 'DiskFull'),
      toolMessage(b.minutesAgo(20), 'DiskFull'),
    ]);
    await b.read();
    const before = await b.store.issues.pending(b.clock.now(), 10);
    const due = await b.store.outbox.due(b.clock.now(), 100);
    await b.read();
    expect(await b.store.issues.pending(b.clock.now(), 10)).toEqual(before);
    expect(await b.store.outbox.due(b.clock.now(), 100)).toEqual(due);
  });

  it('before the channel was watched stays unread', async () => {
    const b = await backfilling();
    await watchedSince(b, 10);
    b.past.set(WATCHED, [
      toolMessage(b.minutesAgo(10.5), 'TooEarly'),
      toolMessage(b.minutesAgo(5), 'DiskFull'),
    ]);
    await b.read();
    expect(await b.decisions()).toEqual([null, 'filed']);
  });

  it('is read a little from before the newest message that was taken, since Slack does not keep the order', async () => {
    const b = await backfilling();
    await watchedSince(b, 60);
    const [first, lost, newest] = [
      toolMessage(b.minutesAgo(20.5), 'First'),
      toolMessage(b.minutesAgo(20.2), 'Lost'),
      toolMessage(b.minutesAgo(20), 'Newest'),
    ];
    await live(b, first);
    await live(b, newest);
    b.past.set(WATCHED, [first, lost, newest]);
    await b.read();
    expect(await b.decisions()).toEqual(['filed', 'filed', 'filed']);
  });

  it('leaves out our own messages, and takes a notice of Slack’s for no alert', async () => {
    const b = await backfilling();
    await watchedSince(b, 60);
    b.past.set(WATCHED, [
      { ...toolMessage(b.minutesAgo(30), 'DiskFull'), bot_id: 'B0BOT' },
      { type: 'message', subtype: 'channel_join', user: 'U1', text: '<@U1> joined', ts: b.minutesAgo(20) },
    ]);
    await b.read();
    expect(await b.decisions()).toEqual([null, 'not_an_alert']);
  });

  it('asks the agent where a person mentioned us', async () => {
    const b = await backfilling();
    await watchedSince(b, 60);
    const ts = b.minutesAgo(20);
    b.past.set(WATCHED, [{ type: 'message', user: 'U0ALICE', text: '<@U0BOT> is checkout well?', ts }]);
    await b.read();
    expect(await b.store.questions.get(`${WATCHED}:${ts}`)).toMatchObject({ text: 'is checkout well?' });
  });

  it('goes into the same budget as live alerts: what is over it is held, and nothing is lost', async () => {
    const b = await backfilling();
    await watchedSince(b, 60, 2);
    b.past.set(
      WATCHED,
      Array.from({ length: 5 }, (_, n) => toolMessage(b.minutesAgo(50 - n * 5), `Alert${n}`)),
    );
    await b.read();
    expect(await b.decisions()).toEqual(['filed', 'filed', 'held', 'held', 'held']);
  });
});

describe('a message that was edited meanwhile', () => {
  it('is decided by its present state: the alert of a firing issue shows its recovery', async () => {
    const b = await backfilling();
    await watchedSince(b, 120);
    const ts = b.minutesAgo(90);
    await live(b, toolMessage(ts, 'DiskFull'));
    await live(b, toolMessage(b.minutesAgo(60), 'HighLatency'));
    b.past.set(WATCHED, [
      { ...toolMessage(ts, 'DiskFull', 'RESOLVED'), edited: { user: 'U9', ts: b.minutesAgo(1) } },
      toolMessage(b.minutesAgo(60), 'HighLatency'),
    ]);
    await b.read();
    expect(await b.decisions()).toEqual(['recovered', 'filed']);
  });

  it('is known by what it says, where its tool does not say that it was edited', async () => {
    const b = await backfilling();
    await watchedSince(b, 120);
    const ts = b.minutesAgo(90);
    await live(b, toolMessage(ts, 'DiskFull'));
    b.past.set(WATCHED, [toolMessage(ts, 'DiskFull', 'RESOLVED')]);
    await b.read();
    expect(await b.decisions()).toEqual(['recovered']);
  });

  it('before anybody saw it is what it says now: a recovery of nothing', async () => {
    const b = await backfilling();
    await watchedSince(b, 60);
    const edited = { user: 'U9', ts: b.minutesAgo(1) };
    b.past.set(WATCHED, [{ ...toolMessage(b.minutesAgo(20), 'DiskFull', 'RESOLVED'), edited }]);
    await b.read();
    expect(await b.decisions()).toEqual(['ignored']);
  });

  it('is not looked for where no issue fires: then reading begins at the gap', async () => {
    const b = await backfilling();
    await watchedSince(b, 120);
    await live(b, toolMessage(b.minutesAgo(90), 'DiskFull'));
    await live(b, toolMessage(b.minutesAgo(60), 'DiskFull', 'RESOLVED'));
    const gapFrom = b.minutesAgo(61);
    await b.read();
    const [read] = b.slack.calls.filter(({ method }) => method === 'conversations.history');
    expect(read?.args.oldest).toBe(gapFrom);
  });
});
