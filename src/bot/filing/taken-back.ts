import type { Aggregates, Store } from '../store/open.ts';

/** Thrown to have a transaction taken back. */
class TakenBack extends Error {
  override name = 'TakenBack';
}

/** Does something within a transaction of which nothing is kept, and answers what came of it. */
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
