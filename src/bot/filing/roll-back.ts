import type { Aggregates, Store } from '../store/open.ts';

/** Thrown to roll a transaction back. */
class RolledBack extends Error {
  override name = 'RolledBack';
}

/** Runs work in a transaction that is always rolled back, and returns its result. */
export async function inRolledBackTransaction<T>(
  store: Store,
  work: (tx: Aggregates) => Promise<T>,
): Promise<T> {
  const done = Promise.withResolvers<T>();
  try {
    await store.transaction(async (tx) => {
      done.resolve(await work(tx));
      throw new RolledBack('rolled back on purpose');
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return done.promise;
}
