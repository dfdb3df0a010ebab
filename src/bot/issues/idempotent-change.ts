import type { Services } from '../../contract/client/client.ts';
import { ServiceError } from '../../contract/client/errors.ts';
import type { Checkpoint } from '../../lib/checkpoint.ts';
import type { Clock } from '../../lib/clock.ts';
import type { BegunChange } from '../store/changes.ts';
import type { Store } from '../store/open.ts';

/** Who requests a change at the service. */
export interface ChangeRequest {
  who: string;
  /** The press or the command that caused it; the same when its stored delivery is retried. */
  cause: string;
}

export interface ChangeOptions {
  store: Store;
  services: Services;
  clock: Clock;
  checkpoint: Checkpoint;
}

/**
 * Makes a change at the service so that the process may be killed at any point: the request is stored first, and the
 * outcome must be stored together with `changes.recorded`. Until then `change` is called again when the delivery is
 * retried, and is told so.
 *
 * @param version of the issue in this database; 0 if Gumshoe did not file it.
 * @returns `null` if everything was done and stored before.
 * @throws ServiceError if the service rejects it; the person must be told, and may try again.
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
