import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { columns, SqliteColumnsDialect } from '../../../../src/bot/store/dialects/columns.ts';
import { sweepStore } from '../../../../src/bot/store/sweep.ts';
import type { Tables } from '../../../../src/bot/store/tables.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { DAY, seeder } from './seeding.ts';

const parts = ['issues', 'conversations', 'alerts', 'holds', 'files', 'outbox', 'inbox', 'changes'] as const;

it('a sweep reads no table from end to end, whatever goes', async () => {
  await using opened = await openTestStore();
  const now = opened.clock.now();
  const seed = seeder(opened, now - 100 * DAY);
  await seed.issue('over');
  await seed.everythingAbout('over', now - 100 * DAY);
  await seed.conversation('over');
  await seed.question('over');
  await seed.alert('over');
  await seed.message('over');
  const sqlite = new Sqlite(opened.file);
  const said = new Set<string>();
  const dialect = new SqliteColumnsDialect({ database: sqlite });
  const db = new Kysely<Tables>({
    dialect,
    plugins: [...columns],
    log: ({ query }) => void said.add(query.sql),
  });
  const sweep = sweepStore(db);
  const went: Record<string, number> = {};
  for (const part of parts) went[part] = await sweep[part]({ over: now, spent: now }, 200);
  expect(went).toEqual({
    issues: 4,
    conversations: 2,
    alerts: 1,
    holds: 0,
    files: 0,
    outbox: 1,
    inbox: 0,
    changes: 0,
  });
  const scans = [...said].flatMap((statement) =>
    sqlite
      .prepare(`explain query plan ${statement}`)
      .all(...Array.from(statement.matchAll(/\?/gu), () => 0))
      .map((step) => String(Object(step).detail))
      .filter((detail) => detail.startsWith('SCAN')),
  );
  // What is in trouble is a handful.
  expect(scans).toEqual(['SCAN blockers']);
  await db.destroy();
});

it('whatever refers to another table has an index: a deletion looks there', async () => {
  await using opened = await openTestStore();
  const sqlite = new Sqlite(opened.file, { readonly: true });
  const without = (table: unknown) => {
    const firsts = sqlite
      .prepare(
        'select i.name, x.name as first from pragma_index_list(?) i, pragma_index_info(i.name) x where x.seqno = 0 and i.partial = 0',
      )
      .all(table)
      .map((index) => Object(index).first);
    return sqlite
      .prepare('select "from" from pragma_foreign_key_list(?)')
      .pluck()
      .all(table)
      .filter((column) => !firsts.includes(column))
      .map((column) => `${table}.${column}`);
  };
  const tables = sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all();
  expect(tables.flatMap(without)).toEqual([]);
  sqlite.close();
});
