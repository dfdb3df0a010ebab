import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';
import type { OpenedDatabase } from './opened-database.ts';

/** Everybody else who needs the database waits for all of them, and so does the event loop. */
const MOST_TOGETHER = 8;

const SAVEPOINT = CompiledQuery.raw('savepoint member');
const RELEASE = CompiledQuery.raw('release member');
const ROLLBACK = CompiledQuery.raw('rollback to member');

/** A transaction that waits for its turn. */
interface Member {
  work(trx: Transaction<Tables>): Promise<void>;
  committed(): void;
  failed(error: unknown): void;
}

/**
 * Runs transactions one after another; those that wait at the same time share a commit. A commit writes every page that
 * was changed, most of which they have in common. Each that joins has a savepoint of its own, so one that fails undoes
 * nothing of the others.
 */
export function createSharedCommit(db: Kysely<Tables>): OpenedDatabase['transaction'] {
  const waiting: Member[] = [];
  let isGathering = false;

  function begin(): void {
    if (isGathering) return;
    const first = waiting.shift();
    if (first === undefined) return;
    isGathering = true;
    void runTogether(first);
  }

  async function runTogether(first: Member): Promise<void> {
    const members = [first];
    let isComplete = false;
    /** The next ones begin once the connection is free, and need not wait for the disk. */
    const complete = () => {
      if (isComplete) return;
      isComplete = true;
      isGathering = false;
      begin();
    };
    try {
      await db.transaction().execute(async (trx) => {
        // It needs no savepoint: if it fails, nobody has joined it yet.
        await first.work(trx);
        while (members.length < MOST_TOGETHER) {
          const next = waiting.shift();
          if (next === undefined) break;
          if (await joins(next, trx)) members.push(next);
        }
        complete();
      });
      for (const { committed } of members) committed();
    } catch (error) {
      for (const { failed } of members) failed(error);
    } finally {
      complete();
    }
  }

  return (work) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof work>>>();
    let settle = () => {};
    waiting.push({
      work: async (trx) => {
        const result = await work(trx);
        settle = () => resolve(result);
      },
      committed: () => settle(),
      failed: reject,
    });
    begin();
    return promise;
  };
}

/** Whether it did its work. If it did not, nothing of it is left, and whoever waits for it is told. */
async function joins({ work, failed }: Member, trx: Transaction<Tables>): Promise<boolean> {
  try {
    await trx.executeQuery(SAVEPOINT);
    await work(trx);
    await trx.executeQuery(RELEASE);
    return true;
  } catch (error) {
    failed(error);
    // Fails where SQLite has undone the whole transaction, such as on a full disk. Then nobody's work is left.
    await trx.executeQuery(ROLLBACK);
    await trx.executeQuery(RELEASE);
    return false;
  }
}
