import { onTestFinished } from 'vitest';
import { openStore, type Store, type StoreLocation } from '../../../src/service/store/store.ts';
import { onPostgres } from '../../support/postgres/databases.ts';
import { emptyDatabase } from '../support.ts';

/** An empty database: SQLite, and in the project `postgres` PostgreSQL. */
export async function emptyLocation(): Promise<StoreLocation> {
  if (!onPostgres) return { file: ':memory:' };
  return { ...(await emptyDatabase()), onConnectionLost: () => undefined };
}

/** A store that is closed when the test ends. */
export async function openTestStore(location?: StoreLocation): Promise<Store> {
  const store = await openStore(location ?? (await emptyLocation()));
  onTestFinished(() => store.close());
  return store;
}
