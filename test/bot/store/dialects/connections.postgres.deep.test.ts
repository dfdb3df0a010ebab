import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../../src/bot/store/open.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { projectRoot } from '../../../support/files.ts';
import { createDatabase } from '../../../support/postgres/databases.ts';

const options = { clock: systemClock, random: Math.random, onConnectionLost: () => undefined };

async function withStores(
  count: number,
  use: (stores: Store[], admin: pg.Client, url: string) => Promise<void>,
): Promise<void> {
  const { url } = await createDatabase();
  const stores = await Promise.all(Array.from({ length: count }, () => openStore({ ...options, url })));
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await use(stores, admin, url);
  } finally {
    await admin.end();
    await Promise.all(stores.map((store) => store.close()));
  }
}

/** As a restart of the server does. */
async function endConnections(admin: pg.Client): Promise<void> {
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}

/** The same, while this process stands still, so that it learns of it only when it next writes to one of them. */
function endConnectionsUnheard(url: string): void {
  const script = `import pg from 'pg';
    const admin = new pg.Client({ connectionString: process.argv[1] });
    await admin.connect();
    await admin.query("select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name = 'gumshoe'");
    await admin.end();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script, url], { cwd: projectRoot });
}

function lockTimeout(): pg.DatabaseError {
  const error = new pg.DatabaseError('canceling statement due to lock timeout', 0, 'error');
  error.code = '55P03';
  return error;
}

const channelOf = (store: Store, channel: string) => store.channels.get(channel);

describe('a store on PostgreSQL', () => {
  it('is migrated once, however many replicas start at the same moment', () =>
    withStores(4, async (stores, admin) => {
      for (const store of stores) expect(await store.writable()).toBe(true);
      const { rows } = await admin.query(
        'select count(*) as n, count(distinct name) as names from kysely_migration',
      );
      expect(rows[0].n).toBe(rows[0].names);
    }));

  it('reads on where the server ends its connections', () =>
    withStores(1, async ([store], admin) => {
      if (!store) return;
      for (let n = 0; n < 3; n += 1) {
        await endConnections(admin);
        expect(await channelOf(store, 'C1')).toMatchObject({ watched: false });
      }
    }));

  it('reads and writes on where every connection of its pool turns out to be dead', () =>
    withStores(1, async ([store], _admin, url) => {
      if (!store) return;
      const everywhere = <T>(work: (n: number) => Promise<T>) =>
        Promise.all(Array.from({ length: 10 }, (_, n) => work(n)));
      await everywhere((n) => channelOf(store, `C${n}`));
      endConnectionsUnheard(url);
      await everywhere((n) => store.channels.watchFromStart(`C${n}`, '1.0'));
      endConnectionsUnheard(url);
      expect(await channelOf(store, 'C1')).toMatchObject({ watched: true });
      endConnectionsUnheard(url);
      await store.transaction((tx) => tx.channels.learn('C1', false));
      expect(await channelOf(store, 'C1')).toMatchObject({ isPrivate: false });
    }));

  it('runs a transaction again that waited for too long for a lock of another one', () =>
    withStores(1, async ([store]) => {
      if (!store) return;
      let runs = 0;
      await store.transaction(async (tx) => {
        runs += 1;
        await tx.audit.add({ at: 1, who: 'U1', what: `run ${runs}`, issueId: null });
        // What the server says after the ten seconds of the programs' own limit.
        if (runs === 1) throw lockTimeout();
      });
      expect(runs).toBe(2);
    }));

  it('runs a transaction again that lost its connection before the commit, and keeps it once', () =>
    withStores(1, async ([store], admin) => {
      if (!store) return;
      let runs = 0;
      await store.transaction(async (tx) => {
        runs += 1;
        await tx.audit.add({ at: 1, who: 'U1', what: `run ${runs}`, issueId: null });
        if (runs === 1) await endConnections(admin);
      });
      const { rows } = await admin.query('select what from audit');
      expect({ runs, rows }).toEqual({ runs: 2, rows: [{ what: 'run 2' }] });
    }));

  it('runs transactions of two replicas as if one came after the other', () =>
    withStores(2, async (stores, admin) => {
      // Each adds one to what it reads: none is lost.
      const increment = (store: Store) =>
        store.transaction(async (tx) => {
          const paused = await tx.flags.paused();
          await tx.flags.resume();
          await tx.flags.pause({ by: 'U1', at: (paused?.at ?? 0) + 1 });
        });
      await Promise.all(Array.from({ length: 10 }, () => stores.map(increment)).flat());
      expect(await stores[0]?.flags.paused()).toEqual({ by: 'U1', at: 20 });
      expect((await admin.query('select count(*)::int as n from flags')).rows).toEqual([{ n: 1 }]);
    }));

  it('keeps any text, with a mark in place of the character that PostgreSQL cannot keep', () =>
    withStores(1, async ([store]) => {
      if (!store) return;
      await store.flags.pause({ by: 'a\u0000b\ud800', at: 1 });
      expect(await store.flags.paused()).toEqual({ by: 'a\u0000b\ud800', at: 1 });
      await store.audit.add({ at: 1, who: 'U\u0000', what: 'x', issueId: 'i' });
      expect((await store.audit.ofIssue('i', 9)).entries).toMatchObject([{ who: 'U\ufffd' }]);
    }));

  it('refuses the tables of a newer release', () =>
    withStores(1, async (_stores, admin) => {
      const { rows } = await admin.query('select current_database() as name');
      const { host } = admin;
      const url = `postgres://postgres:postgres@localhost/${rows[0].name}?host=${encodeURIComponent(host)}`;
      await admin.query("insert into kysely_migration (name, timestamp) values ('0099-later', '2026-01-01')");
      await expect(openStore({ ...options, url })).rejects.toThrow(
        'was written by a newer Gumshoe (it has 0099-later). Start that version, or restore a backup from before the upgrade.',
      );
    }));
});

describe('a PostgreSQL that cannot be used', () => {
  it.each([
    ['is not there', 'postgres://u:secret-word@127.0.0.1:1/db', 'ECONNREFUSED'],
    ['has no such user', '', 'password authentication failed'],
  ])('and %s is said in words, without the password', async (_what, given, reason) => {
    const { url } = await createDatabase();
    const wrong = given === '' ? url.replace('postgres:postgres@', 'nobody:secret-word@') : given;
    const opened = openStore({ ...options, url: wrong });
    await expect(opened).rejects.toThrow(
      /^Cannot connect to PostgreSQL database \w+ at .+ Check DATABASE_URL/u,
    );
    await expect(opened).rejects.toThrow(reason);
    await expect(opened).rejects.not.toThrow('secret-word');
  });
});
