import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../../../src/bot/store/dialects/sqlite.ts';

/** A database with a table of fruit, closed and removed when the test has ended. */
async function aDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-dialect-'));
  const opened = openSqlite(join(folder, 'test.db'));
  onTestFinished(async () => {
    await opened.close();
    rmSync(folder, { recursive: true });
  });
  const { db } = opened;
  await sql`create table fruit (name text primary key)`.execute(db);
  await sql`insert into fruit values ('apple')`.execute(db);
  const all = async () => (await sql`select * from fruit order by name`.execute(db)).rows;
  return { db, all };
}

describe('a query that runs again', () => {
  it('sees the columns that a table has by then', async () => {
    const { db, all } = await aDatabase();
    expect(await all()).toEqual([{ name: 'apple' }]);
    await sql`alter table fruit add column colour text default 'red'`.execute(db);
    expect(await all()).toEqual([{ name: 'apple', colour: 'red' }]);
    await sql`alter table fruit rename column colour to hue`.execute(db);
    expect(await all()).toEqual([{ name: 'apple', hue: 'red' }]);
  });

  it('sees no column whose addition was taken back', async () => {
    const { db, all } = await aDatabase();
    const added = db.transaction().execute(async (trx) => {
      await sql`alter table fruit add column colour text`.execute(trx);
      expect((await sql`select * from fruit order by name`.execute(trx)).rows).toHaveLength(1);
      throw new Error('no');
    });
    await expect(added).rejects.toThrow('no');
    expect(await all()).toEqual([{ name: 'apple' }]);
  });

  it('works on after it failed', async () => {
    const { db, all } = await aDatabase();
    const add = (name: string) => sql`insert into fruit values (${name})`.execute(db);
    await expect(add('apple')).rejects.toThrow('UNIQUE');
    await add('pear');
    expect(await all()).toEqual([{ name: 'apple' }, { name: 'pear' }]);
  });
});
