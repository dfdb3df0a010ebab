import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkDatabaseInside } from '../../../src/service/databases/databases.ts';
import { looking, steady } from '../../support/databases/looking.ts';
import {
  missingServer,
  startPostgres,
  startReplica,
  type TestServer,
} from '../../support/databases/servers.ts';
import { until } from '../../support/until.ts';

/** What no look may ever show. */
const PLANTED = 'anna.schmidt@example.com';

describe.skipIf(missingServer('postgres'))('inside PostgreSQL', () => {
  let server: TestServer;
  let admin: pg.Client;
  let orders: Awaited<ReturnType<typeof looking>>;
  const open: pg.Client[] = [];

  async function connect(application: string, user = 'postgres', to = server): Promise<pg.Client> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: to.port,
      user,
      database: 'postgres',
      application_name: application,
    });
    client.on('error', () => undefined);
    await client.connect();
    open.push(client);
    return client;
  }
  /** A statement that waits, and whose end does not matter. */
  const send = (client: pg.Client, statement: string) => void client.query(statement).catch(() => undefined);

  beforeAll(async () => {
    server = await startPostgres({
      shared_preload_libraries: 'pg_stat_statements',
      max_prepared_transactions: '5',
      max_wal_size: '32MB',
      min_wal_size: '32MB',
      wal_level: 'replica',
    });
    admin = await connect('admin');
    open.length = 0;
    await admin.query(`create extension pg_stat_statements; create role gumshoe login; grant pg_monitor to gumshoe; create role shop login; create role nobody login;
      create table reviews as select i as id, (i * 7919) % 300 as product, repeat('x', 100) as body from generate_series(1, 200000) i;
      create index reviews_product on reviews (product); create table orders (id serial primary key, email text, n int); grant all on all tables in schema public to shop;
      grant usage on all sequences in schema public to shop; insert into orders (email, n) values ('${PLANTED}', 1); analyze`);
    orders = await looking(server.settings({ name: 'orders', user: 'gumshoe' }));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.end().catch(() => undefined)));
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
  });
  afterAll(async () => {
    await admin?.end();
    await orders?.close();
    await server?.stop();
  });

  describe('five faults', () => {
    it('names the idle session that holds a table, who waits, and nothing of what they wrote', async () => {
      const migration = await connect('migration');
      await migration.query('begin');
      await migration.query('lock table orders in access exclusive mode');
      for (let i = 0; i < 5; i++)
        send(await connect('storefront', 'shop'), `insert into orders (email) values ('${PLANTED}')`);
      const fact = await orders.find('blocked-sessions');
      expect(steady(fact)).toBe(
        'session N (`migration`, user `postgres`, from 127.0.0.1) has held an access exclusive lock on `orders` in a transaction since TIME and has done nothing for SOME TIME; 5 sessions wait for it, the oldest for SOME TIME.',
      );
      expect(fact).toMatchObject({ database: 'orders', object: 'orders', weight: 0.9 });
      const pid = /^Session (\d+)/u.exec(fact.sentence)?.[1];
      expect(fact.steps.map(({ content }) => content)).toEqual([
        `select pid, usename, application_name, client_addr, state, xact_start, query from pg_stat_activity where pid = ${pid};`,
        `select pg_terminate_backend(${pid});`,
      ]);
      expect(fact.proof.rows).toHaveLength(6);
      expect(JSON.stringify(await orders.look())).not.toContain('anna');
    });

    it('follows a chain of waits for rows to its root', async () => {
      const report = await connect('report');
      await report.query('begin; update orders set n = 2 where id = 1');
      const second = await connect('second');
      await second.query('begin');
      send(second, 'update orders set n = 3 where id = 1');
      for (let i = 0; i < 5; i++)
        send(await connect('storefront', 'shop'), `update orders set email = '${PLANTED}' where id = 1`);
      const fact = await orders.find('blocked-sessions', 'orders');
      expect(steady(fact)).toBe(
        'session N (`report`, user `postgres`, from 127.0.0.1) has held a row lock on `orders` in a transaction since TIME and has done nothing for SOME TIME; 6 sessions wait for it, the oldest for SOME TIME.',
      );
    });

    it('says that no connection is left, and whose they are', async () => {
      const limit = await admin.query('show max_connections');
      const most = Number(limit.rows[0].max_connections);
      for (let i = 0; i < most - 3 - 1; i++) await connect('storefront', 'shop');
      const refused = await orders.find('connections-used-up');
      expect(refused).toMatchObject({
        object: 'connections',
        sentence: 'PostgreSQL orders accepts no more connections: all of them are in use.',
        weight: 0.9,
      });
      const asAdmin = await looking(server.settings({ name: 'orders' }));
      const fact = await asAdmin.find('connections-used-up');
      await asAdmin.close();
      expect(fact.sentence).toBe(
        `38 of ${most} connections are in use (3 are kept for superusers); 36 of them are of \`storefront\`, 36 of those idle.`,
      );
      expect(fact.steps[1]?.content).toBe(
        "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle' and application_name = 'storefront';",
      );
    });

    it('finds the index that went between two looks, and the statement that used it', async () => {
      const client = await connect('storefront', 'shop');
      for (let i = 0; i < 200; i++)
        await client.query('select count(*) from reviews where product = $1', [i % 300]);
      await orders.look();
      await admin.query('drop index reviews_product');
      let isOn = true;
      const load = (async () => {
        while (isOn) await client.query('select count(*) from reviews where product = $1', [7]);
      })();
      const fact = await until('the index is found', async () =>
        (await orders.look()).facts.find(
          ({ weight, object }) => object === 'reviews_product' && weight >= 0.9,
        ),
      );
      isOn = false;
      await load;
      expect(fact.sentence).toMatch(
        /^The index `reviews_product on reviews` was dropped between \d\d:\d\d UTC and \d\d:\d\d UTC, and what used it is slow: .*`select count\(\*\) from reviews where product = \$1` takes/u,
      );
      expect(fact.steps[0]?.content).toBe(
        'CREATE INDEX CONCURRENTLY reviews_product ON public.reviews USING btree (product);',
      );
      await admin.query('create index reviews_product on reviews (product)');
    });

    it('names the slot that keeps the log', async () => {
      await admin.query("select pg_create_physical_replication_slot('standby_2', true)");
      await admin.query(
        'create table filler as select i, repeat(md5(i::text), 20) as t from generate_series(1, 200000) i; drop table filler; checkpoint',
      );
      const fact = await orders.find('log-kept-by-slot');
      expect(fact.sentence).toMatch(
        /^Nobody reads the replication slot `standby_2`, and it keeps [\d.]+ MiB of WAL on the disk/u,
      );
      expect(fact.steps.at(-1)?.content).toBe("select pg_drop_replication_slot('standby_2');");
      await admin.query("select pg_drop_replication_slot('standby_2')");
    });

    it('says who keeps vacuum from cleaning', async () => {
      const client = await connect('billing');
      await client.query("begin; insert into orders (email) values ('x'); prepare transaction 'two-phase'");
      await admin.query(
        'create table events as select i as id from generate_series(1, 60000) i; delete from events',
      );
      await admin.query('vacuum events');
      await admin.query('analyze events');
      const fact = await orders.find('vacuum-held-back');
      expect(steady(fact)).toMatch(
        /^Vacuum processed `events` at TIME and 60,000 dead rows are still there beside \d+: a prepared transaction of `postgres` has held the oldest view/u,
      );
      await admin.query("rollback prepared 'two-phase'");
      await admin.query('drop table events');
    });

    it('says that a replica has lost its source', async () => {
      const replica = await startReplica(server);
      const followed = await looking(replica.settings({ name: 'replica' }));
      await until('it receives', async () => (await followed.causes()).length === 0);
      const stopped = await connect('admin', 'postgres', replica);
      await stopped.query("alter system set primary_conninfo = 'host=127.0.0.1 port=1'");
      await stopped.query('select pg_reload_conf()');
      expect((await followed.find('replica-without-source')).sentence).toMatch(
        /^This replica has no connection to its source/u,
      );
      await followed.close();
      await stopped.end();
      await replica.stop();
    });
  });

  describe('three states that look like one', () => {
    it('says nothing of a long report that blocks nobody', async () => {
      const report = await connect('report');
      send(report, 'begin; select count(*) from reviews, pg_sleep(20)');
      await until(
        'it runs',
        async () =>
          (
            await admin.query(
              "select 1 from pg_stat_activity where application_name = 'report' and now() - query_start > interval '3 s'",
            )
          ).rowCount === 1,
      );
      expect(await orders.causes()).toEqual([]);
    });

    it('says nothing of a bulk load', async () => {
      const load = await connect('import');
      send(
        load,
        'create table imported as select i as id, md5(i::text) as t from generate_series(1, 3000000) i',
      );
      await until(
        'it runs',
        async () =>
          (
            await admin.query(
              "select 1 from pg_stat_activity where application_name = 'import' and state = 'active'",
            )
          ).rowCount === 1,
      );
      expect(await orders.causes()).toEqual([]);
      await load.end();
      await admin.query('drop table if exists imported');
    });

    it('says nothing of many idle connections, far from the limit, and of a session that waits a moment', async () => {
      for (let i = 0; i < 15; i++) await connect('storefront', 'shop');
      const first = await connect('first');
      await first.query('begin; update orders set n = 5 where id = 1');
      send(await connect('second'), 'update orders set n = 6 where id = 1');
      expect(await orders.causes()).toEqual([]);
      await first.query('rollback');
    });
  });

  describe('its account', () => {
    it('has what it needs, and may not write', async () => {
      expect(await checkDatabaseInside(server.settings({ name: 'orders', user: 'gumshoe' }))).toEqual({
        version: expect.stringMatching(/^PostgreSQL \d+\.\d+/u),
        missing: [],
        writes: null,
      });
    });

    it('is told the right that it lacks, with the statement that grants it', async () => {
      const { missing, writes } = await checkDatabaseInside(
        server.settings({ name: 'orders', user: 'nobody' }),
      );
      expect({ missing, writes }).toEqual({
        missing: [{ what: 'it does not see what other sessions do', grant: 'grant pg_monitor to "nobody";' }],
        writes: null,
      });
      const blind = await looking(server.settings({ name: 'orders', user: 'nobody' }));
      const { unread } = await blind.look();
      await blind.close();
      expect(unread).toContain(
        'What other sessions of orders do is hidden from its account: grant pg_monitor to "nobody";',
      );
    });

    it('is told that it may write', async () => {
      expect((await checkDatabaseInside(server.settings({ name: 'orders', user: 'shop' }))).writes).toBe(
        'it may write tables of postgres',
      );
      expect((await checkDatabaseInside(server.settings({ name: 'orders' }))).writes).toBe(
        'it is a superuser',
      );
    });
  });

  it('leaves no statement of its own that writes, and is seen by its name', async () => {
    const before = await admin.query('select count(*)::int as n from orders');
    const seen = new Set<string>();
    let isOn = true;
    const watching = (async () => {
      while (isOn) {
        const { rows } = await admin.query(
          "select application_name as name, count(*) over () as n from pg_stat_activity where usename = 'gumshoe'",
        );
        for (const row of rows) seen.add(`${row.name} ${row.n}`);
      }
    })();
    await orders.look();
    isOn = false;
    await watching;
    expect([...seen]).toEqual(['gumshoe 1']);
    expect((await admin.query('select count(*)::int as n from orders')).rows).toEqual(before.rows);
  });
});
