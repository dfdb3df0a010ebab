import type { Checkpoint } from '../../../lib/checkpoint.ts';
import type { Pace } from '../delivery/pace.ts';
import type { ListenerDeps } from '../listening/deps.ts';

/** What a back-fill needs: all that listeners need, since it decides by their code. */
export interface BackfillDeps {
  listeners: ListenerDeps;
  /** Shared with whoever posts. */
  pace: Pace;
  random: () => number;
  checkpoint: Checkpoint;
  /** Ends everything under way. */
  signal: AbortSignal;
}
