import { describe, expect, it, onTestFinished } from 'vitest';
import { createBackfill } from '../../../../src/bot/slack/backfill/backfill.ts';
import { ChannelSettings } from '../../../../src/bot/store/channel-settings.ts';
import { turns, until } from '../../../support/until.ts';
import { backfilling, toolMessage, WATCHED } from '../support/backfilling.ts';

/** A back-fill at work, whose reading stands still at a step until the test lets it go on. */
async function working(at = 'backfill: read', failsOnceAt?: string) {
  const stood = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const b = await backfilling();
  await b.store.channels.watch(WATCHED, ChannelSettings.parse({}), b.minutesAgo(60));
  b.past.set(WATCHED, [toolMessage(b.minutesAgo(30), 'DiskFull'), toolMessage(b.minutesAgo(20), 'Latency')]);
  let isBroken = false;
  const step = async (name: string) => {
    if (name === failsOnceAt && !isBroken) {
      isBroken = true;
      throw new Error('database or disk is full');
    }
    if (name !== at) return;
    stood.resolve();
    await goOn.promise;
  };
  const backfill = createBackfill({ ...b.deps, checkpoint: step });
  backfill.start();
  onTestFinished(() => backfill.stop());
  return { ...b, backfill, stood: stood.promise, goOn: () => goOn.resolve() };
}

function closed(b: Awaited<ReturnType<typeof backfilling>>): Promise<true> {
  return until('the gap is closed', async () => (await b.store.channels.position(WATCHED)).gapFrom === null);
}

describe('after a gap', () => {
  it('what was missed is read, which is said for as long as it lasts', async () => {
    const b = await working();
    await b.gaps.begin();
    expect(b.backfill.degraded()).toBeNull();
    b.gaps.end();
    await b.stood;
    expect(b.backfill.degraded()).toBe('catching up on 1 channel');
    b.goOn();
    await closed(b);
    await until('it is said no more', () => b.backfill.degraded() === null);
    expect(await b.decisions()).toEqual(['filed', 'filed']);
  });

  it('a second one is read after the first, never beside it', async () => {
    const b = await working();
    await b.gaps.begin();
    b.gaps.end();
    await b.stood;
    await b.gaps.begin();
    b.gaps.end();
    const reads = () => b.slack.methods().filter((method) => method === 'conversations.history').length;
    await turns(50);
    expect(reads()).toBe(1);
    b.goOn();
    await closed(b);
    expect([reads(), await b.decisions()]).toEqual([2, ['filed', 'filed']]);
  });

  it.each([
    ['a channel', 'backfill: read'],
    ['all of it', 'backfill: before close'],
  ])('%s is read again soon where something that passes was in the way', async (_what, failsAt) => {
    const b = await working('nowhere', failsAt);
    await b.gaps.begin();
    b.gaps.end();
    await closed(b);
    expect(await b.decisions()).toEqual(['filed', 'filed']);
  });

  it('a stop ends it at once, and leaves the gap open', async () => {
    const b = await working('backfill: taken');
    await b.gaps.begin();
    b.gaps.end();
    await b.stood;
    const stopped = b.backfill.stop();
    b.goOn();
    await stopped;
    expect(await b.decisions()).toEqual(['filed', null]);
    expect((await b.store.channels.position(WATCHED)).gapFrom).not.toBeNull();
  });

  it('a stop does not wait for a call of Slack that hangs', async () => {
    const b = await working();
    b.slack.answers('conversations.info', () => new Promise(() => undefined));
    await b.gaps.begin();
    b.gaps.end();
    await until('it is called', () => b.slack.methods().includes('conversations.info'));
    await b.backfill.stop();
    expect(b.slack.methods()).toEqual(['conversations.info']);
  });
});
