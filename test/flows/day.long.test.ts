import { expect, it } from 'vitest';
import { benchDay } from '../bench/load/day.ts';

it('what the program holds after a simulated day has not grown with what it did', async () => {
  const { early, late, deliveries } = await benchDay(20);
  // A few more or less are what is just under way; what each delivery left behind would be many.
  const few = deliveries / 4 + 20;
  expect(late.maps - early.maps).toBeLessThan(few);
  expect(late.signals - early.signals).toBeLessThan(few);
  expect(late.timers - early.timers).toBeLessThan(few);
  expect(late.handles - early.handles).toBeLessThan(few);
});
