import type { EventEmitter } from 'node:events';
import type { Clock } from './clock.ts';

/** A terminal sends Ctrl-C to npm and to the program, and npm forwards its own: one press arrives twice. */
const SAME_PRESS_MS = 1_000;

/** Listens for SIGTERM and SIGINT: the first calls `stop`, a second press calls `atOnce`. */
export function onStopSignals({
  clock,
  stop,
  atOnce,
  signals = process,
}: {
  clock: Clock;
  stop: () => void;
  atOnce: () => void;
  /** Emits the signals. */
  signals?: EventEmitter;
}): void {
  let first: number | null = null;
  const heard = () => {
    if (first === null) {
      first = clock.now();
      stop();
    } else if (clock.now() - first >= SAME_PRESS_MS) atOnce();
  };
  signals.on('SIGTERM', heard).on('SIGINT', heard);
}
