import type { Aggregates, Store } from '../store/open.ts';

/** Thrown to roll a transaction back. */
class TakenBack extends Error {
  override name = 'TakenBack';
}

/** Runs work in a transaction that is always rolled back, and returns its result. */
export async function takenBack<T>(store: Store, work: (tx: Aggregates) => Promise<T>): Promise<T> {
  const done = Promise.withResolvers<T>();
  try {
    await store.transaction(async (tx) => {
      done.resolve(await work(tx));
      throw new TakenBack('rolled back on purpose');
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return done.promise;
}
