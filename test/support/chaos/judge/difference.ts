import type { Ledger } from '../ledger.ts';
import type { SystemState } from '../read-state.ts';

/** Where the end is not what it must be. */
export interface Difference {
  what: string;
  /** When what it is about began, in milliseconds of the environment's clock: the kills after that may be its cause. */
  at?: number | undefined;
}

/** Compares what was done with what stands in the end. */
export type Judge = (system: SystemState, ledger: Ledger) => Difference[];

/** Those that are there more than once. */
export function doubles(of: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(of.filter((one) => seen.size === seen.add(one).size))];
}
