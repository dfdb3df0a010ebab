import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';

describe('the machine’s clock', () => {
  it('goes on while somebody sleeps', async () => {
    const before = systemClock.now();
    await systemClock.sleep(5);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before + 4);
  });

  it('wakes with an error who is told to stop', async () => {
    const stop = new AbortController();
    const sleeping = systemClock.sleep(1_000_000, stop.signal);
    stop.abort();
    await expect(sleeping).rejects.toMatchObject({ name: 'AbortError' });
  });
});
