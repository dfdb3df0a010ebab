import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { onStopSignals } from '../../src/lib/io.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';

describe('a signal to stop', () => {
  let signals: EventEmitter;
  let clock: ManualClock;
  let heard: string[];

  beforeEach(() => {
    signals = new EventEmitter();
    clock = manualClock();
    heard = [];
    onStopSignals({
      clock,
      signals,
      stop: () => heard.push('stop'),
      atOnce: () => heard.push('at once'),
    });
  });

  it.each(['SIGTERM', 'SIGINT'])('%s stops in order', (signal) => {
    signals.emit(signal);
    expect(heard).toEqual(['stop']);
  });

  it('that arrives twice, from the terminal and from npm, is one', () => {
    signals.emit('SIGINT');
    clock.advance(900);
    signals.emit('SIGINT');
    expect(heard).toEqual(['stop']);
  });

  it('again, later, ends at once', () => {
    signals.emit('SIGINT');
    clock.advance(1_000);
    signals.emit('SIGINT');
    expect(heard).toEqual(['stop', 'at once']);
  });
});
