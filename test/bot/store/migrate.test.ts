import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/bot/store/dialects/sqlite.ts';
import { StoreError } from '../../../src/bot/store/errors.ts';
import { migrate, migrations } from '../../../src/bot/store/migrate.ts';
import { openStore } from '../../../src/bot/store/open.ts';
import { errorOf } from '../../contract/client/harness.ts';
import { instantClock } from '../../support/manual-clock.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-migrate-'));
  file = join(folder, 'gumshoe.db');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const later: Migration = {
  up: async (db) => {
    await db.schema.createTable('later').addColumn('id', 'text').execute();
  },
};

/** Runs the migrations of a program that knows these. */
async function run(known: Record<string, Migration>): Promise<void> {
  const opened = openSqlite(file);
  try {
    await migrate(opened.db.withoutPlugins(), `database ${file}`, known);
  } finally {
    await opened.close();
  }
}

function tables(): unknown[] {
  const db = new Sqlite(file, { readonly: true });
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();
  db.close();
  return names;
}

describe('migrations', () => {
  it('make what is new in a later version, once', async () => {
    await run({ ...migrations });
    const before = tables();
    await run({ ...migrations, '0099-later': later });
    await run({ ...migrations, '0099-later': later });
    expect(tables()).toEqual([...before, 'later'].sort());
  });

  it('bring a database of the first version to this one, with what is in it', async () => {
    const { '0001-initial': first, ...rest } = migrations;
    if (first === undefined) throw new Error('there is no first migration');
    await run({ '0001-initial': first });
    const old = new Sqlite(file);
    const insert = (table: string, values: Record<string, unknown>) => {
      const columns = old.prepare<[string], { name: string; needed: number; type: string }>(
        'select name, "notnull" and dflt_value is null as needed, type from pragma_table_info(?)',
      );
      const needed = columns.all(table).filter((one) => one.needed === 1 || one.name in values);
      const row = needed.map(({ name, type }) => values[name] ?? (type === 'text' ? '' : 0));
      old
        .prepare(
          `insert into ${table} (${needed.map(({ name }) => name).join(', ')}) values (${row.map(() => '?').join(', ')})`,
        )
        .run(...row);
    };
    insert('issues', { id: 'i', repeats: 3 });
    insert('tickets', { issue_id: 'i', state: 'made', key: 'FIX-12' });
    old.close();
    await run({ '0001-initial': first, ...rest });
    const now = new Sqlite(file, { readonly: true });
    const ticket = now.prepare('select key, said_repeats, sent_at, quiet_until from tickets').get();
    now.close();
    expect(ticket).toEqual({ key: 'FIX-12', said_repeats: 3, sent_at: null, quiet_until: 0 });
  });

  it('keep nothing of a step that fails, and name it', async () => {
    await run({ ...migrations });
    const before = tables();
    const half: Migration = {
      up: async (db) => {
        await db.schema.createTable('half').addColumn('id', 'text').execute();
        throw new Error('no more');
      },
    };
    expect(await errorOf(run({ ...migrations, '0099-half': half }))).toEqual(
      new StoreError(
        `Could not migrate the database ${file}: 0099-half failed. Nothing was changed; go back to the previous version.`,
      ),
    );
    expect(tables()).toEqual(before);
  });
});

describe('a database of another program', () => {
  it.each([
    [
      'a newer one',
      () => run({ ...migrations, '0099-later': later }),
      () =>
        `The database ${file} was written by a newer Gumshoe (it has 0099-later). Start that version, ` +
        'or restore a backup from before the upgrade.',
    ],
    [
      'one of an older version',
      () => run({ '0001-spine': later, '0002-steering': { up: async () => undefined } }),
      () =>
        `The database ${file} was written by an older Gumshoe, and this one cannot read it. ` +
        'Start with an empty database (move the file away, or change DATABASE_URL).',
    ],
  ])('(%s) is refused with what to do, left as it is, and let go of', async (_of, write, message) => {
    await write();
    const before = tables();
    for (const _ of ['first', 'second']) {
      expect(await errorOf(openStore({ file, clock: instantClock(), lockWaitMs: 0 }))).toEqual(
        new StoreError(message()),
      );
    }
    expect(tables()).toEqual(before);
  });
});
