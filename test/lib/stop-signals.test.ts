import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onStopSignals } from '../../src/lib/stop-signals.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';

describe('a signal to stop', () => {
  const earlier = new Map<NodeJS.Signals, NodeJS.SignalsListener[]>();
  const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];
  let clock: HandClock;
  let heard: string[];

  beforeEach(() => {
    for (const signal of signals) {
      earlier.set(signal, process.listeners(signal));
      process.removeAllListeners(signal);
    }
    clock = handClock();
    heard = [];
    onStopSignals({
      clock,
      stop: () => heard.push('stop'),
      atOnce: () => heard.push('at once'),
    });
  });

  afterEach(() => {
    for (const signal of signals) {
      process.removeAllListeners(signal);
      for (const listener of earlier.get(signal) ?? []) process.on(signal, listener);
    }
  });

  it.each(signals)('%s stops in order', (signal) => {
    process.emit(signal);
    expect(heard).toEqual(['stop']);
  });

  it('that arrives twice, from the terminal and from npm, is one', () => {
    process.emit('SIGINT');
    clock.advance(900);
    process.emit('SIGINT');
    expect(heard).toEqual(['stop']);
  });

  it('again, later, ends at once', () => {
    process.emit('SIGINT');
    clock.advance(1_000);
    process.emit('SIGINT');
    expect(heard).toEqual(['stop', 'at once']);
  });
});
