import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createWakeup } from '../../src/lib/worker-loop.ts';

const LONG = 1_000_000;

describe('a bell', () => {
  it('wakes who waits', async () => {
    const bell = createWakeup();
    const waiting = bell.wait(LONG, new AbortController().signal);
    bell.wake();
    await waiting;
  });

  it('that rang while nobody waited is heard by the next wait, once', async () => {
    const bell = createWakeup();
    const { signal } = new AbortController();
    bell.wake();
    bell.wake();
    await bell.wait(LONG, signal);
    let woke = false;
    const waiting = bell.wait(LONG, signal).then(() => {
      woke = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(woke).toBe(false);
    bell.wake();
    await waiting;
  });

  it('wakes by itself after its time', async () => {
    await createWakeup().wait(1, new AbortController().signal);
  });

  it('wakes at once for who is to stop, before or while it waits', async () => {
    await createWakeup().wait(LONG, AbortSignal.abort());
    const stop = new AbortController();
    const waiting = createWakeup().wait(LONG, stop.signal);
    stop.abort();
    await waiting;
  });

  it('leaves no listener behind, however often it is waited for', async () => {
    const bell = createWakeup();
    const { signal } = new AbortController();
    for (let n = 0; n < 20; n += 1) {
      bell.wake();
      await bell.wait(LONG, signal);
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
