import { ServiceError } from '../../contract/client/errors.ts';
import type { Services } from '../../contract/client/services.ts';
import type { Checkpoint } from '../../lib/checkpoint.ts';
import type { Clock } from '../../lib/clock.ts';
import type { BegunChange } from '../store/changes.ts';
import type { Store } from '../store/open.ts';

/** Whose wish a change at the service is. */
export interface ChangeRequest {
  who: string;
  /** What the press or the command causes: the same when its stored delivery is taken up again. */
  cause: string;
}

export interface ChangeOptions {
  store: Store;
  services: Services;
  clock: Clock;
  checkpoint: Checkpoint;
}

/**
 * Has the service change something, in such a way that the process may die anywhere: that it is wanted is kept first,
 * and what came of it is to be kept together with `changes.recorded`. Until then `change` is called again when the
 * delivery is taken up, and told so.
 *
 * @param version of the issue as it is here; 0 where it is none of ours.
 * @returns `null` where all of it was done and kept before.
 * @throws ServiceError when the service does not take it; the person is to be told, and may want it again.
 */
export async function changeIdempotently<T>(
  { cause }: ChangeRequest,
  version: number,
  { store, clock }: Pick<ChangeOptions, 'store' | 'clock'>,
  change: (begun: BegunChange) => Promise<T>,
): Promise<T | null> {
  const begun = await store.changes.begin({ cause, version, at: clock.now() });
  if (begun.isRecorded) return null;
  try {
    return await change(begun);
  } catch (error) {
    if (error instanceof ServiceError) await store.changes.forget(cause);
    throw error;
  }
}
