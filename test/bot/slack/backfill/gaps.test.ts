import { describe, expect, it, onTestFinished } from 'vitest';
import { createGaps } from '../../../../src/bot/slack/backfill/gaps.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { turns } from '../../../support/until.ts';

/** Gaps of one watched channel whose newest message is `100.000000`; what was handled, in its order. */
async function gapsOfOne() {
  const { store, ...opened } = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  await store.channels.watchFromStart('C1', '100.000000');
  const clock = manualClock();
  const gaps = createGaps({ store, clock });
  const handled: string[] = [];
  const handle = async ({ body }: { body: Record<string, unknown> }) => {
    await gaps.caughtUp(body);
    handled.push(String(body.event_id));
  };
  const message = (id: string, ts: string, more: object = {}) => {
    const event = { type: 'message', channel: 'C1', ts, ...more };
    return handle({ body: { event_id: id, event } });
  };
  return { store, clock, gaps, handled, handle, message };
}

/** Lets everything go on that waits for nothing. */
const breath = () => turns(20);

describe('a live message while a gap is open', () => {
  it('is handled after what was missed before it', async () => {
    const { gaps, handled, message } = await gapsOfOne();
    await gaps.begin();
    const waiting = message('live', '200.000000');
    await breath();
    expect(handled).toEqual([]);
    handled.push('missed');
    gaps.release('C1');
    await waiting;
    expect(handled).toEqual(['missed', 'live']);
  });

  it('does not wait where it is none that came after the gap, is in another channel, or is no message', async () => {
    const { gaps, handled, handle, message } = await gapsOfOne();
    await gaps.begin();
    await message('before the gap', '050.000000');
    await message('elsewhere', '200.000000', { channel: 'C2' });
    await message('a reaction', '200.000000', { type: 'reaction_added' });
    await handle({ body: { event_id: 'a command' } });
    expect(handled).toEqual(['before the gap', 'elsewhere', 'a reaction', 'a command']);
  });

  it('waits for a gap that is being written down, and not for ever', async () => {
    const { gaps, clock, handled, message } = await gapsOfOne();
    const begun = gaps.begin();
    const waiting = message('live', '200.000000');
    await begun;
    await breath();
    clock.advance(19_999);
    await breath();
    expect(handled).toEqual([]);
    clock.advance(1);
    await waiting;
    expect([handled, clock.sleeping()]).toEqual([['live'], 0]);
  });

  it('goes on when the program stops; a gap that begins then is not recorded anymore', async () => {
    const { store, gaps, handled, message } = await gapsOfOne();
    await gaps.begin();
    await store.channels.closeGap('C1');
    const waiting = message('live', '200.000000');
    gaps.close();
    await waiting;
    await gaps.begin();
    expect([handled, (await store.channels.position('C1')).gapFrom]).toEqual([['live'], null]);
  });
});

describe('a gap', () => {
  it('begins at the newest message that was taken, and an earlier beginning stays', async () => {
    const { store, gaps } = await gapsOfOne();
    await gaps.begin();
    await store.channels.seen('C1', '300.000000');
    await gaps.begin();
    expect([(await store.channels.position('C1')).gapFrom, gaps.begun()]).toEqual(['100.000000', 2]);
  });
});
