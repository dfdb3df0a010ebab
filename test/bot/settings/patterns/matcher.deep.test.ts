import { describe, expect, it, onTestFinished } from 'vitest';
import { createMatcher } from '../../../../src/bot/settings/patterns/matcher.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

// Refused at the door: what gets past it takes the thread minutes.
const SLOW = `/(${Array.from({ length: 20 }, (_, n) => `.{0,${999 - n}}`).join('|')})#/`;
const TEXT = 'a'.repeat(9_900);

function matching(clock = systemClock) {
  const matcher = createMatcher({ clock });
  onTestFinished(() => matcher.close());
  return matcher;
}

describe('the thread that looks for patterns', () => {
  it('answers for each pattern and each message', async () => {
    // No deadline on a busy machine.
    const matcher = matching(manualClock());
    expect(await matcher.match(['cpu', '/^disk/', '/(/'], [['CPU is high'], ['x', 'Disk full']])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
    expect(await matcher.match(['full'], [['Disk full']])).toEqual([[true]]);
    expect(await matcher.match([], [['x']])).toEqual([]);
  });

  it('is ended at a pattern that misses its deadline twice, and continues with the others; the event loop never waits', async () => {
    const clock = manualClock();
    const matcher = matching(clock);
    const found = matcher.match(['a', SLOW, 'b'], [[TEXT]]);
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    onTestFinished(() => clearInterval(counting));
    // Each sleep is a deadline; the pattern misses its own, however far the clock goes.
    let done = false;
    void found.finally(() => {
      done = true;
    });
    await until('it has been given up', async () => {
      const before = turns;
      await until('the event loop turns', () => turns > before + 20);
      clock.advance(2_000);
      return done;
    });
    const [first, slow, last] = await found;
    expect(slow).toBe('too_slow');
    expect([first, last].filter((one) => one === 'too_slow').length).toBeLessThan(3);
    expect(await matching(manualClock()).match(['a'], [[TEXT]])).toEqual([[true]]);
  });

  it('says so to whoever waits when it is closed', async () => {
    const matcher = createMatcher({ clock: manualClock() });
    const waiting = matcher.match([SLOW], [[TEXT]]);
    const refused = expect(waiting).rejects.toThrow('The matcher is closed.');
    await matcher.close();
    await refused;
  });
});
