import type { Step } from '../../src/lib/checkpoint.ts';

/** A process that dies at a step: nothing of what comes after it happens. */
export function dyingAt(at: string): Step {
  return (name) => {
    if (name === at) throw new Error(`died at ${name}`);
  };
}
