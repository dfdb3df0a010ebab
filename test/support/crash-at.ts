import type { Checkpoint } from '../../src/lib/clock.ts';

/** A process that crashes at a step: nothing of what comes after it happens. */
export function crashAt(at: string): Checkpoint {
  return (name) => {
    if (name === at) throw new Error(`crashed at ${name}`);
  };
}
