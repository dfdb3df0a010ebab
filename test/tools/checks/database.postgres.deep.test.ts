import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/bot/store/open.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { checkPostgres } from '../../../src/tools/checks/database.ts';
import { createDatabase } from '../../support/postgres/databases.ts';

describe('what the doctor says of a PostgreSQL database', () => {
  it('that is empty, up to date, or newer than the program', async () => {
    const { url } = await createDatabase();
    const session = { name: 'database sessions', ok: true, fix: null };
    expect(await checkPostgres(url, null)).toMatchObject([
      {
        name: 'database',
        ok: true,
        detail: expect.stringMatching(/^PostgreSQL \d+\.\d+ is at empty; \d+ pending at the next start$/u),
      },
      session,
    ]);
    const store = await openStore({
      url,
      clock: systemClock,
      random: Math.random,
      onConnectionLost: () => undefined,
    });
    await store.close();
    expect(await checkPostgres(url, url)).toMatchObject([
      { ok: true, detail: expect.stringMatching(/^PostgreSQL \d+\.\d+ is at \d{4}-[\w-]+$/u) },
      session,
    ]);
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query("insert into kysely_migration (name, timestamp) values ('0099-later', 'now')");
    await admin.end();
    expect(await checkPostgres(url, null)).toMatchObject([
      { ok: false, detail: 'the database was written by a newer Gumshoe (it has 0099-later)' },
      session,
    ]);
  });

  it('that cannot be reached, without its password', async () => {
    const results = await checkPostgres('postgres://u:secret-word@127.0.0.1:1/db', null);
    expect(results).toMatchObject([
      { name: 'database', ok: false, detail: expect.stringContaining('ECONNREFUSED') },
      { name: 'database sessions', ok: false },
    ]);
    expect(JSON.stringify(results)).not.toContain('secret-word');
  });
});
