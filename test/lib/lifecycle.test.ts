import { describe, expect, it } from 'vitest';
import { type Lifecycle, startInOrder } from '../../src/lib/worker-loop.ts';

/** Parts that write down what is done with them. */
function parts() {
  const log: string[] = [];
  const part = (name: string, failing: 'start' | 'stop' | null = null) => ({
    start: async () => {
      log.push(`start ${name}`);
      if (failing === 'start') throw new Error(`${name} does not start`);
    },
    stop: async () => {
      log.push(`stop ${name}`);
      if (failing === 'stop') throw new Error(`${name} does not stop`);
    },
  });
  const onStopFailed = (error: unknown, name: string) => void log.push(`${name}: ${String(error)}`);
  return { log, part, onStopFailed };
}

describe('a lifecycle', () => {
  it('starts parts in order, and stops them in the reverse order, once', async () => {
    const { log, part, onStopFailed } = parts();
    const { value, stop } = await startInOrder(async (lifecycle: Lifecycle) => {
      lifecycle.onStop('file', () => void log.push('close file'));
      await lifecycle.start('one', part('one'));
      await lifecycle.start('two', part('two'));
      return 'running';
    }, onStopFailed);
    expect([value, log]).toEqual(['running', ['start one', 'start two']]);
    log.length = 0;
    await stop();
    await stop();
    expect(log).toEqual(['stop two', 'stop one', 'close file']);
  });

  it('waits for a part to stop before it stops the one that was started earlier', async () => {
    const { log, onStopFailed } = parts();
    const gate = Promise.withResolvers<void>();
    const { stop } = await startInOrder(async ({ onStop }) => {
      onStop('database', () => void log.push('closed'));
      onStop('worker', () => gate.promise.then(() => log.push('done')));
    }, onStopFailed);
    const stopped = stop();
    await Promise.resolve();
    expect(log).toEqual([]);
    gate.resolve();
    await stopped;
    expect(log).toEqual(['done', 'closed']);
  });

  it('stops what was started when a part fails to start, and passes the error on', async () => {
    const { log, part, onStopFailed } = parts();
    const starting = startInOrder(async (lifecycle) => {
      await lifecycle.start('one', part('one'));
      await lifecycle.start('two', part('two', 'start'));
      await lifecycle.start('three', part('three'));
    }, onStopFailed);
    await expect(starting).rejects.toThrow('two does not start');
    expect(log).toEqual(['start one', 'start two', 'stop two', 'stop one']);
  });

  it('stops the other parts when one fails to stop, and says which', async () => {
    const { log, part, onStopFailed } = parts();
    const { stop } = await startInOrder(async (lifecycle) => {
      await lifecycle.start('one', part('one'));
      await lifecycle.start('two', part('two', 'stop'));
      lifecycle.onStop('three', () => {
        throw new Error('three does not stop');
      });
    }, onStopFailed);
    log.length = 0;
    await stop();
    expect(log).toEqual([
      'three: Error: three does not stop',
      'stop two',
      'two: Error: two does not stop',
      'stop one',
    ]);
  });
});
