import { describe, expect, it } from 'vitest';
import { createQueueWorker, createWakeup, createWorkerLoop } from '../../src/lib/worker-loop.ts';
import { manualClock } from '../support/manual-clock.ts';

/** Rounds that are let go on one by one; `said` is what happened. */
function rounds(round: (n: number) => Promise<string>) {
  const said: string[] = [];
  let count = 0;
  let next = Promise.withResolvers<void>();
  const worker = createWorkerLoop({
    round: () => round(++count),
    rest: async (signal, did) => {
      said.push(`rests after ${did}`);
      const ended = new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
      });
      await Promise.race([next.promise, ended]);
    },
    onError: (error) => said.push(String(error)),
  });
  const go = async () => {
    next.resolve();
    next = Promise.withResolvers();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { worker, said, go };
}

describe('rounds', () => {
  it('come one after the other until the stop, which ends a rest at once', async () => {
    const { worker, said, go } = rounds(async (n) => `round ${n}`);
    worker.start();
    await go();
    await go();
    await worker.stop();
    expect(said.slice(0, 2)).toEqual(['rests after round 1', 'rests after round 2']);
    const before = said.length;
    await go();
    expect(said).toHaveLength(before);
  });

  it('go on after one that failed, which is told', async () => {
    const { worker, said, go } = rounds(async (n) => {
      if (n === 1) throw new Error('no luck');
      return `round ${n}`;
    });
    worker.start();
    await go();
    await go();
    await worker.stop();
    expect(said.slice(0, 3)).toEqual(['Error: no luck', 'rests after null', 'rests after round 2']);
  });

  it('are stopped when the one under way has ended', async () => {
    const work = Promise.withResolvers<string>();
    const { worker } = rounds(() => work.promise);
    worker.start();
    let stopped = false;
    const stop = worker.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([worker.signal.aborted, stopped]).toEqual([true, false]);
    work.resolve('done');
    await stop;
    expect(stopped).toBe(true);
  });

  it('that never began are stopped already', async () => {
    const { worker, said } = rounds(async () => 'never');
    await worker.stop();
    expect(said).toEqual([]);
  });
});

describe('a worker of a queue', () => {
  it('sleeps until what it waits for is due, or it is woken; a minute at most, and a second after a failure', async () => {
    const clock = manualClock();
    const began = clock.now();
    const wakeup = createWakeup(clock);
    const rounds: number[] = [];
    const rests = [5_000, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, null, 0, 7_000];
    const worker = createQueueWorker({
      wakeup,
      round: async () => {
        const rest = rests[rounds.length];
        rounds.push(clock.now() - began);
        if (rest === null || rest === undefined) throw new Error('the database is away');
        return rest;
      },
      onError: () => undefined,
    });
    worker.start();
    await clock.pass(0);
    for (let second = 0; second < 70; second += 1) await clock.pass(1_000);
    wakeup.wake();
    await clock.pass(0);
    for (let second = 0; second < 5; second += 1) await clock.pass(1_000);
    await worker.stop();
    expect(rounds).toEqual([0, 5_000, 65_000, 70_000, 71_000, 71_000]);
  });
});
