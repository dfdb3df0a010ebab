import { describe, expect, it } from 'vitest';
import { ChannelSettings } from '../../../../src/bot/store/channel-settings.ts';
import { backfilling, toolMessage, WATCHED } from '../support/backfilling.ts';

type Backfilling = Awaited<ReturnType<typeof backfilling>>;

const SECOND = 'C0ZEBRA';

async function twoChannels(options: Parameters<typeof backfilling>[0] = {}): Promise<Backfilling> {
  const b = await backfilling(options);
  for (const channel of [WATCHED, SECOND]) {
    await b.store.channels.watch(channel, ChannelSettings.parse({}), b.minutesAgo(60));
    b.past.set(channel, [toolMessage(b.minutesAgo(30), `In${channel}`)]);
  }
  return b;
}

async function openGaps(b: Backfilling): Promise<string[]> {
  const channels = await b.store.channels.watched();
  return channels.filter(({ gapFrom }) => gapFrom !== null).map(({ channel }) => channel);
}

describe('a channel that cannot be read', () => {
  it('keeps its gap, is reported once in the words of the doctor, and does not hold up the others', async () => {
    const b = await twoChannels();
    b.slack.next('conversations.history', { error: 'not_in_channel' });
    b.slack.answers('conversations.info', ({ channel }) => ({
      channel: { id: channel, is_private: false, is_member: channel === SECOND },
    }));
    await b.read();
    expect(await openGaps(b)).toEqual([WATCHED]);
    expect([await b.decisions(WATCHED), await b.decisions(SECOND)]).toEqual([[null], ['filed']]);
    expect(b.warnings).toEqual([
      {
        channel: WATCHED,
        detail: 'Gumshoe is not a member',
        fix: 'run /invite @Gumshoe in the channel',
      },
    ]);
    b.slack.next('conversations.history', { error: 'not_in_channel' });
    await b.read();
    expect(b.warnings).toHaveLength(1);
    expect(await b.metrics.text()).toContain('gumshoe_backfilled_channels_total{outcome="not_in_channel"} 2');
  });

  it('is read from the same moment on when that goes again', async () => {
    const b = await twoChannels();
    b.slack.next('conversations.history', { error: 'missing_scope' });
    await b.read();
    await b.store.channels.seen(WATCHED, b.minutesAgo(1));
    await b.read();
    expect(await b.decisions(WATCHED)).toEqual(['filed']);
    expect(await openGaps(b)).toEqual([]);
  });

  it('is left alone while it is archived', async () => {
    const b = await twoChannels();
    b.slack.answers('conversations.info', ({ channel }) => ({
      channel: { id: channel, is_private: false, is_member: true, is_archived: channel === WATCHED },
    }));
    await b.read();
    expect(await openGaps(b)).toEqual([WATCHED]);
    expect(await b.decisions(WATCHED)).toEqual([null]);
    expect(b.warnings).toMatchObject([{ channel: WATCHED, detail: 'it is archived' }]);
  });
});

describe('a passing failure', () => {
  it('is waited for: a 429 as long as Slack says, a failure with backoff', async () => {
    const b = await twoChannels();
    b.slack.next('conversations.history', { status: 429, retryAfter: 17 }, { status: 500 }, 'timeout');
    await b.read();
    expect(await b.decisions(WATCHED)).toEqual(['filed']);
    expect(b.clock.slept).toEqual([17_000, 2_000, 4_000]);
  });

  it('that does not pass leaves the gap open', async () => {
    const b = await twoChannels();
    b.slack.next('conversations.history', ...Array.from({ length: 5 }, () => ({ status: 500 })));
    await b.read();
    expect(await openGaps(b)).toEqual([WATCHED]);
    expect(await b.decisions(SECOND)).toEqual(['filed']);
  });

  it('of the database leaves the gap open, and the others are taken', async () => {
    const b = await twoChannels();
    b.past.set(WATCHED, [
      toolMessage(b.minutesAgo(30), 'DiskFull'),
      toolMessage(b.minutesAgo(20), 'HighLatency'),
    ]);
    const transaction = b.store.transaction;
    let failures = 1;
    b.store.transaction = (work) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error('disk I/O error')) : transaction(work);
    };
    await b.read();
    expect(await b.decisions(WATCHED)).toEqual([null, 'filed']);
    expect(await openGaps(b)).toEqual([WATCHED]);
    await b.read();
    expect(await b.decisions(WATCHED)).toEqual(['filed', 'filed']);
    expect(await openGaps(b)).toEqual([]);
  });
});

describe('a gap that begins while an earlier one is read', () => {
  it('is not closed by the earlier reading, and is read as well', async () => {
    const missed: { ts: string }[] = [];
    const b: Backfilling = await twoChannels({
      step: async (name) => {
        if (name !== 'backfill: before close' || missed.length > 0) return;
        const message = toolMessage(b.minutesAgo(0), 'Meanwhile');
        missed.push(message);
        b.past.get(WATCHED)?.push(message);
        await b.gaps.begin();
      },
    });
    await b.read();
    expect(await openGaps(b)).toEqual([WATCHED, SECOND]);
    await b.reader.read();
    expect(await b.decisions(WATCHED)).toEqual(['filed', 'filed']);
    expect(await openGaps(b)).toEqual([]);
  });
});

describe('a live message', () => {
  it('waits for its own channel only: not for those that are read after it', async () => {
    let reads = 0;
    const b: Backfilling = await twoChannels({
      step: async (name) => {
        if (name === 'backfill: read') reads += 1;
        if (reads === 2) {
          const event = { type: 'message', channel: WATCHED, ts: '9999999999.000000' };
          await b.gaps.caughtUp({ event });
        }
      },
    });
    await b.read();
    expect([reads, b.clock.slept]).toEqual([2, []]);
  });
});

describe('how many channels are still to be read', () => {
  it('is said while it reads, and is none afterwards', async () => {
    const seen: number[] = [];
    const b: Backfilling = await twoChannels({
      step: (name) => void (name === 'backfill: read' && seen.push(b.reader.remaining())),
    });
    await b.read();
    expect([...seen, b.reader.remaining()]).toEqual([2, 1, 0]);
  });
});
