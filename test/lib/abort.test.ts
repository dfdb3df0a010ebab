import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { raceAbort, timeoutSignal, whenAborted, withTimeout } from '../../src/lib/clock.ts';
import { manualClock } from '../support/manual-clock.ts';

const never = new Promise<never>(() => undefined);

test('work that ends in time has its own result, and the timeout is not called', async () => {
  const clock = manualClock();
  const onTimeout = vi.fn();
  expect(await withTimeout(Promise.resolve('done'), { ms: 100, clock, onTimeout })).toBe('done');
  clock.advance(1000);
  await Promise.resolve();
  expect(onTimeout).not.toHaveBeenCalled();
});

test('work that takes longer has the result of the timeout', async () => {
  const clock = manualClock();
  const result = withTimeout(never, { ms: 100, clock, onTimeout: () => 'late' });
  clock.advance(99);
  clock.advance(1);
  expect(await result).toBe('late');
});

test('a timeout that throws is the failure', async () => {
  const clock = manualClock();
  const onTimeout = () => {
    throw new Error('took too long');
  };
  const result = withTimeout(never, { ms: 100, clock, onTimeout });
  clock.advance(100);
  await expect(result).rejects.toThrow('took too long');
});

test('work that fails in time fails, and a failure that comes too late is ignored', async () => {
  const clock = manualClock();
  const onTimeout = () => 'late';
  const failed = withTimeout(Promise.reject(new Error('broken')), { ms: 100, clock, onTimeout });
  await expect(failed).rejects.toThrow('broken');

  const slow = Promise.withResolvers<string>();
  const result = withTimeout(slow.promise, { ms: 100, clock, onTimeout });
  clock.advance(100);
  expect(await result).toBe('late');
  slow.reject(new Error('broken'));
});

test('work ends with the reason of a signal that aborts first', async () => {
  const stopping = new AbortController();
  const result = raceAbort(stopping.signal, never);
  stopping.abort(new Error('stopping'));
  await expect(result).rejects.toThrow('stopping');
  await expect(raceAbort(stopping.signal, Promise.resolve('done'))).rejects.toThrow('stopping');
});

test('work that ends first leaves no listener on the signal', async () => {
  const { signal } = new AbortController();
  expect(await raceAbort(signal, Promise.resolve('done'))).toBe('done');
  await expect(raceAbort(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('waiting for an abort ends with it, also where it came before', async () => {
  const stopping = new AbortController();
  const waiting = whenAborted(stopping.signal);
  stopping.abort();
  await waiting;
  await whenAborted(stopping.signal);
});

test('a timeout signal aborts when its time is up, or with the signal that it was given', async () => {
  const late = timeoutSignal(1);
  await whenAborted(late);
  expect(late.reason).toMatchObject({ name: 'TimeoutError' });

  const stopping = new AbortController();
  const either = timeoutSignal(60_000, stopping.signal);
  expect(either.aborted).toBe(false);
  stopping.abort(new Error('stopping'));
  expect(either.reason).toEqual(new Error('stopping'));
});
