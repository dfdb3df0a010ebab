import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { columns, SqliteColumnsDialect } from '../../../src/bot/store/dialects/columns.ts';
import { prepared } from '../../../src/bot/store/prepared.ts';
import type { Tables } from '../../../src/bot/store/tables.ts';

/** A database in memory with a table of channels, and each statement with its parameters. */
function database() {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec('create table channels (channel text primary key, watched integer, seen_ts text)');
  sqlite.exec("insert into channels values ('C1', 1, '1.0'), ('C2', 0, '2.0'), ('C3', 1, null)");
  const asked: unknown[] = [];
  const db = new Kysely<Tables>({
    dialect: new SqliteColumnsDialect({ database: sqlite }),
    plugins: [columns],
    log: ({ query }) => void asked.push(query.parameters),
  });
  onTestFinished(() => db.destroy());
  return { db, asked };
}

/** A query, and how often it was built. */
function watchedBefore() {
  let built = 0;
  const find = prepared<{ ts: string; watched: boolean }, { channel: string; seenTs: string | null }>(
    (db, parameter) => {
      built += 1;
      return db
        .selectFrom('channels')
        .select(['channel', 'seenTs'])
        .where('watched', '=', parameter('watched'))
        .where('channel', '!=', 'C3')
        .where('seenTs', '<', parameter('ts'));
    },
  );
  return { find, built: () => built };
}

describe('a prepared query', () => {
  it('is built once for a database and its transactions, and runs with the values of each call', async () => {
    const { db, asked } = database();
    const { find, built } = watchedBefore();
    expect(await find(db, { ts: '9.0', watched: true })).toEqual([{ channel: 'C1', seenTs: '1.0' }]);
    expect(await find(db, { ts: '1.0', watched: true })).toEqual([]);
    const inTransaction = db.transaction().execute((trx) => find(trx, { watched: false, ts: '3.0' }));
    expect(await inTransaction).toEqual([{ channel: 'C2', seenTs: '2.0' }]);
    expect(built()).toBe(1);
    expect(asked.filter((parameters) => JSON.stringify(parameters) !== '[]')).toEqual([
      [1, 'C3', '9.0'],
      [1, 'C3', '1.0'],
      [0, 'C3', '3.0'],
    ]);
  });

  it('is built again for another database', async () => {
    const { find, built } = watchedBefore();
    await find(database().db, { ts: '9.0', watched: true });
    await find(database().db, { ts: '9.0', watched: true });
    expect(built()).toBe(2);
  });

  it('runs side by side with other values', async () => {
    const { db } = database();
    const { find } = watchedBefore();
    const found = await Promise.all([
      find(db, { ts: '9.0', watched: true }),
      find(db, { ts: '9.0', watched: false }),
      find(db, { ts: '0.5', watched: true }),
    ]);
    expect(found.map((rows) => rows.map(({ channel }) => channel))).toEqual([['C1'], ['C2'], []]);
  });
});
