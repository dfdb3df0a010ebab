import { describe, expect, it } from 'vitest';
import { type AdmissionControl, createAdmissionControl } from '../../../src/bot/filing/admission-control.ts';
import { manualClock } from '../../support/manual-clock.ts';

function lane() {
  const clock = manualClock();
  return { clock, lane: createAdmissionControl({ clock, random: () => 1 }) };
}

/** Fails three times, as far apart as it takes. */
function outage({ clock, lane: it }: ReturnType<typeof lane>): void {
  for (const _ of [1, 2, 3]) {
    clock.advance(it.waitMs());
    it.begin('C1');
    it.failed('C1', null);
  }
}

/** How many of a channel each may be sent at this moment. */
function sendAll(it: AdmissionControl, channels: string[]): string[] {
  return channels.filter((channel) => {
    if (!it.isFree(channel)) return false;
    it.begin(channel);
    return true;
  });
}

describe('issues on their way to the service', () => {
  it('go four at once, in one channel too, once nothing waits from before', () => {
    const { lane: it } = lane();
    it.caughtUp();
    expect(sendAll(it, ['C1', 'C1', 'C1', 'C1', 'C1'])).toHaveLength(4);
  });

  it('go one at a time in each channel after a start, so that they keep their order', () => {
    const { lane: it } = lane();
    expect(sendAll(it, ['C1', 'C1', 'C2', 'C1', 'C2'])).toEqual(['C1', 'C2']);
    it.answered('C1');
    expect(sendAll(it, ['C2', 'C1', 'C1'])).toEqual(['C1']);
  });
});

describe('while the service fails', () => {
  it('one tries for all, less and less often, at least twice a minute', () => {
    const { clock, lane: it } = lane();
    it.caughtUp();
    expect(sendAll(it, ['C1', 'C2', 'C3'])).toEqual(['C1', 'C2', 'C3']);
    for (const channel of ['C1', 'C2', 'C3']) it.failed(channel, null);
    const waits = Array.from({ length: 7 }, () => {
      const wait = it.waitMs();
      expect(it.isFree('C1')).toBe(false);
      clock.advance(wait);
      expect(sendAll(it, ['C1', 'C2', 'C3'])).toEqual(['C1']);
      it.failed('C1', null);
      return wait;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('it is left alone for as long as it asks', () => {
    const { lane: it } = lane();
    it.begin('C1');
    it.failed('C1', 45_000);
    expect(it.waitMs()).toBe(45_000);
  });

  it('what was cut off by a stop says nothing of it', () => {
    const { lane: it } = lane();
    it.begin('C1');
    it.dropped('C1');
    expect([it.isFailing(), it.isFree('C1')]).toEqual([false, true]);
  });
});

describe('when the service is back', () => {
  it('after one failure of one issue, nothing changes', () => {
    const { clock, lane: it } = lane();
    it.caughtUp();
    it.begin('C1');
    it.failed('C1', null);
    clock.advance(1_000);
    it.begin('C1');
    expect(it.answered('C1')).toBe(false);
    expect(sendAll(it, ['C1', 'C1', 'C1', 'C1'])).toHaveLength(4);
  });

  it('after an outage, what waits goes slowly at first, and faster with each answer', () => {
    const test = lane();
    const { clock, lane: it } = test;
    it.caughtUp();
    outage(test);
    clock.advance(it.waitMs());
    it.begin('C1');
    expect(it.answered('C1')).toBe(true);
    const gaps: number[] = [];
    for (let answers = 0; answers < 30; answers += 1) {
      gaps.push(Math.round(it.waitMs()));
      clock.advance(it.waitMs());
      it.begin('C1');
      expect(it.answered('C1')).toBe(false);
    }
    expect(gaps.slice(0, 4)).toEqual([500, 500, 450, 405]);
    expect(gaps.at(-1)).toBe(0);
    // Four at once again, and still each channel in its order.
    expect(sendAll(it, ['C1', 'C1', 'C2', 'C3', 'C4', 'C5'])).toEqual(['C1', 'C2', 'C3', 'C4']);
  });

  it('too many requests slow it down again', () => {
    const test = lane();
    const { clock, lane: it } = test;
    outage(test);
    clock.advance(it.waitMs());
    it.begin('C1');
    it.answered('C1');
    clock.advance(it.waitMs());
    it.begin('C1');
    it.failed('C1', 5_000);
    expect(it.waitMs()).toBe(5_000);
    clock.advance(5_000);
    it.begin('C1');
    it.answered('C1');
    expect(it.waitMs()).toBe(1_000);
  });
});
