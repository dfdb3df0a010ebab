import { expect, it } from 'vitest';
import { createDatabaseClock } from '../../../src/lib/postgres/database-clock.ts';

it('a clock that follows the database shows its time, however the answer was delayed, and does not jump for less than that', async () => {
  let monotonic = 0;
  const clock = createDatabaseClock(() => monotonic);
  /** The database answers so late, and half of that was the way there. */
  const answers = (at: number, afterMs: number) => async () => {
    monotonic += afterMs;
    return at;
  };
  await clock.follow(answers(1_000_050, 100));
  expect(clock.now()).toBe(1_000_100);
  monotonic += 3_000;
  expect(clock.now()).toBe(1_003_100);
  await clock.follow(answers(1_003_180, 100));
  expect(clock.now()).toBe(1_003_200);
  await clock.follow(answers(2_000_000, 0));
  expect(clock.now()).toBe(2_000_000);
});
