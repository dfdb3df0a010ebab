import type { Checkpoint } from '../../src/lib/checkpoint.ts';

/** A process that dies at a step: nothing of what comes after it happens. */
export function dyingAt(at: string): Checkpoint {
  return (name) => {
    if (name === at) throw new Error(`died at ${name}`);
  };
}
