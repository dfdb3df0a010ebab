import type { EventEmitter } from 'node:events';
import type { Clock } from './clock.ts';

/** A terminal sends Ctrl-C to npm and to its program, and npm hands its own on: one press arrives twice. */
const SAME_PRESS_MS = 1_000;

/** Listens to SIGTERM and SIGINT: the first calls `stop`, one that is not the same press calls `atOnce`. */
export function onStopSignals({
  clock,
  stop,
  atOnce,
  signals = process,
}: {
  clock: Clock;
  stop: () => void;
  atOnce: () => void;
  /** What says that a signal has come. */
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
