import type { Checkpoint } from '../../../lib/checkpoint.ts';
import type { Pace } from '../delivery/pace.ts';
import type { ListenerDeps } from '../listening/deps.ts';

/** What a backfill needs: everything that listeners need, because it decides with their code. */
export interface BackfillDeps {
  listeners: ListenerDeps;
  /** Shared with whatever posts. */
  pace: Pace;
  random: () => number;
  checkpoint: Checkpoint;
  /** Cancels everything in progress. */
  signal: AbortSignal;
}
