import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSharedCommit } from '../../../../src/bot/store/dialects/shared-commit.ts';
import type { Tables } from '../../../../src/bot/store/tables.ts';

/** A database in memory with one table, and what was asked of it. */
async function database() {
  const sqlite = new Sqlite(':memory:');
  sqlite.pragma('foreign_keys = ON');
  const asked: string[] = [];
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: sqlite }),
    log: ({ query }) => void asked.push(query.sql),
  });
  onTestFinished(() => db.destroy());
  sqlite.exec('create table parents (name text primary key)');
  sqlite.exec('create table names (name text references parents deferrable initially deferred)');
  sqlite.exec('create table notes (note text not null)');
  return {
    transaction: createSharedCommit(db),
    close: () => sqlite.close(),
    asked,
    count: (what: string) => asked.filter((one) => one === what).length,
    notes: () => sqlite.prepare<[], string>('select note from notes order by rowid').pluck().all(),
  };
}

type Work = Parameters<ReturnType<typeof createSharedCommit>>[0];

const note =
  (text: string): Work =>
  async (trx) => {
    await sql`insert into notes values (${text})`.execute(trx);
    return text;
  };

const failing: Work = async (trx) => {
  await note('half')(trx);
  throw new Error('no');
};

describe('transactions that wait at the same time', () => {
  it('share a commit, in the order in which they came', async () => {
    const { transaction, count, notes } = await database();
    const results = await Promise.all(['a', 'b', 'c'].map((one) => transaction(note(one))));
    expect(results).toEqual(['a', 'b', 'c']);
    expect(notes()).toEqual(['a', 'b', 'c']);
    expect(count('commit')).toBe(1);
  });

  it('share one with at most seven others', async () => {
    const { transaction, count } = await database();
    await Promise.all(Array.from({ length: 20 }, (_, n) => transaction(note(String(n)))));
    expect(count('commit')).toBe(3);
  });

  it('are not told that they are done before the commit', async () => {
    const { transaction, asked } = await database();
    const told = (one: string) => transaction(note(one)).then(() => asked.push(`told ${one}`));
    await Promise.all([told('a'), told('b')]);
    const after = asked.slice(asked.indexOf('commit'));
    expect(after).toEqual(['commit', 'told a', 'told b']);
  });

  it('lose nothing where one between them fails', async () => {
    const { transaction, count, notes } = await database();
    const settled = await Promise.allSettled([note('a'), failing, note('c')].map((one) => transaction(one)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(notes()).toEqual(['a', 'c']);
    expect(count('commit')).toBe(1);
  });

  it('lose nothing where the first one fails', async () => {
    const { transaction, notes } = await database();
    const settled = await Promise.allSettled([failing, note('b'), note('c')].map((one) => transaction(one)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(notes()).toEqual(['b', 'c']);
  });

  it('all fail where the commit does, and those after them go on', async () => {
    const { transaction, notes } = await database();
    const orphan: Work = (trx) => sql`insert into names values ('nobody')`.execute(trx);
    const settled = await Promise.allSettled([note('a'), orphan].map((one) => transaction(one)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await transaction(note('b'));
    expect(notes()).toEqual(['b']);
  });

  it('all fail where SQLite undoes the whole transaction, and those after them go on', async () => {
    const { transaction, notes } = await database();
    const undoing: Work = async (trx) => {
      await sql`insert or rollback into notes values (null)`.execute(trx);
    };
    const settled = await Promise.allSettled([note('a'), undoing, note('c')].map((one) => transaction(one)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(notes()).toEqual(['c']);
  });
});

it('a transaction that cannot even begin is told so', async () => {
  const { transaction, close } = await database();
  const closing: Work = async () => void close();
  const settled = await Promise.allSettled([closing, note('b')].map((one) => transaction(one)));
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

describe('a transaction on its own', () => {
  it('needs no savepoint', async () => {
    const { transaction, asked } = await database();
    await transaction(note('a'));
    expect(asked).toEqual(['begin', 'insert into notes values (?)', 'commit']);
  });
});
