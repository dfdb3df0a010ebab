import { expect, it } from 'vitest';
import { createOpenings } from '../../../../src/bot/slack/receivers/openings.ts';
import { manualClock } from '../../../support/manual-clock.ts';

it('five connections may be asked for at once, and one a minute after that', () => {
  const clock = manualClock();
  const openings = createOpenings(clock);
  for (let nth = 1; nth <= 5; nth += 1) {
    expect(openings.waitMs()).toBe(0);
    openings.took();
  }
  expect(openings.waitMs()).toBe(60_000);
  clock.advance(59_000);
  expect(openings.waitMs()).toBe(1_000);
  clock.advance(1_000);
  expect(openings.waitMs()).toBe(0);
  openings.took();
  expect(openings.waitMs()).toBe(60_000);
});

it('no more than five are saved up, however long none was asked for', () => {
  const clock = manualClock();
  const openings = createOpenings(clock);
  clock.advance(24 * 60 * 60_000);
  for (let nth = 1; nth <= 5; nth += 1) openings.took();
  expect(openings.waitMs()).toBe(60_000);
});

it('none is asked for as long as Slack wants none', () => {
  const clock = manualClock();
  const openings = createOpenings(clock);
  openings.blocked(90_000);
  expect(openings.waitMs()).toBe(90_000);
  clock.advance(90_000);
  expect(openings.waitMs()).toBe(0);
});
