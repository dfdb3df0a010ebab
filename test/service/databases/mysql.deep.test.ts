import type { Connection, RowDataPacket } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkDatabaseInside } from '../../../src/service/databases/databases.ts';
import { looking, steady } from '../../support/databases/looking.ts';
import { missingServer, startMariadb, type TestServer } from '../../support/databases/servers.ts';
import { until } from '../../support/until.ts';

/** What no look may ever show. */
const PLANTED = 'anna.schmidt@example.com';

describe.skipIf(missingServer('mysql'))('inside MariaDB', () => {
  let server: TestServer;
  let admin: Connection;
  let ledger: Awaited<ReturnType<typeof looking>>;
  const open: Connection[] = [];

  async function connect(user = 'packer'): Promise<Connection> {
    const connection = await createConnection({
      host: '127.0.0.1',
      port: server.port,
      user,
      database: 'shop',
    });
    connection.on('error', () => undefined);
    open.push(connection);
    return connection;
  }
  /** A statement that waits, and whose end does not matter. */
  const send = (connection: Connection, statement: string) =>
    void connection.query(statement).catch(() => undefined);

  beforeAll(async () => {
    server = await startMariadb([
      '--performance-schema=ON',
      '--max-connections=40',
      '--innodb-lock-wait-timeout=600',
      '--lock-wait-timeout=600',
      '--server-id=1',
      '--log-bin',
    ]);
    admin = await createConnection({
      host: '127.0.0.1',
      port: server.port,
      user: 'root',
      multipleStatements: true,
    });
    await admin.query(`create database shop; use shop; create table parcels(id int primary key auto_increment, email varchar(80), n int);
      insert into parcels(email) values ('${PLANTED}'), ('b'), ('c'); create table reviews as select seq as id, seq % 300 as product, repeat('x', 100) as body from seq_1_to_200000;
      create index reviews_product on reviews(product); create user packer@'%'; grant all on shop.* to packer@'%';
      create user gumshoe@'%'; grant process, slave monitor, binlog monitor on *.* to gumshoe@'%'; grant select on performance_schema.* to gumshoe@'%'; grant select on shop.* to gumshoe@'%'; create user blind@'%'`);
    ledger = await looking(server.settings({ name: 'ledger', user: 'gumshoe' }));
  });
  afterEach(async () => {
    for (const connection of open.splice(0)) connection.destroy();
    await until('nobody is left', async () => {
      const [rows] = await admin.query<RowDataPacket[]>(
        "select id from information_schema.processlist where user = 'packer'",
      );
      for (const { id } of rows) await admin.query(`kill ${Number(id)}`).catch(() => undefined);
      return rows.length === 0;
    });
  });
  afterAll(async () => {
    admin?.destroy();
    await ledger?.close();
    await server?.stop();
  });

  describe('five faults', () => {
    it('names the idle session that holds rows, who waits, and nothing of what they wrote', async () => {
      const holder = await connect();
      await holder.query('begin');
      await holder.query('update parcels set n = 1 where id = 1');
      for (let i = 0; i < 5; i++)
        send(await connect(), `update parcels set email = '${PLANTED}' where id = 1`);
      const fact = await ledger.find('blocked-sessions');
      expect(steady(fact)).toBe(
        'session N (user `packer` from 127.0.0.1) holds locks on rows of `parcels` in a transaction since TIME and has done nothing for SOME TIME; 5 sessions wait for it, the oldest for SOME TIME.',
      );
      expect(fact.steps.at(-1)?.content).toMatch(/^kill \d+;$/u);
      expect(JSON.stringify(await ledger.look())).not.toContain('anna');
    });

    it('names whose transaction an alter waits for, and everybody behind it', async () => {
      const holder = await connect();
      await holder.query('begin');
      await holder.query('select * from parcels');
      send(await connect(), 'alter table parcels add column z int');
      await until('the alter waits', async () => {
        const [rows] = await admin.query<RowDataPacket[]>(
          "select 1 from information_schema.processlist where state like '%metadata lock%'",
        );
        return rows.length === 1;
      });
      for (let i = 0; i < 5; i++) send(await connect(), `select * from parcels where email = '${PLANTED}'`);
      const fact = await ledger.find('blocked-sessions', 'parcels');
      expect(steady(fact)).toMatch(
        /^session N \(user `packer` from 127\.0\.0\.1\) \(the only open transaction that is older\) holds the definition of `parcels` \(a metadata lock\) in a transaction since TIME and has done nothing for SOME TIME; 6 sessions wait for it/u,
      );
    });

    it('says that a backup’s lock holds up all writes', async () => {
      const holder = await connect('root');
      await holder.query('flush tables with read lock');
      for (let i = 0; i < 6; i++) send(await connect(), `insert into parcels(email) values ('${PLANTED}')`);
      const fact = await ledger.find('blocked-sessions');
      expect(steady(fact)).toMatch(
        /^session N \(user `root` from 127\.0\.0\.1\).* holds all tables against writes.*6 sessions wait for it/u,
      );
      holder.destroy();
    });

    it('says that no connection is left, and whose they were', async () => {
      for (let i = 0; i < 36; i++) await connect();
      const near = await ledger.find('connections-used-up');
      expect(near.sentence).toMatch(
        /^3\d of 40 connections are in use.*; 36 of them are of user `packer` from 127\.0\.0\.1, 36 of those idle\.$/u,
      );
      for (let i = 0; i < 5; i++) await connect().catch(() => undefined);
      const full = await until('it is full', async () =>
        (await ledger.look()).facts.find(({ sentence }) => sentence.includes('no more')),
      );
      expect(full.sentence).toBe('MySQL ledger accepts no more connections: max_connections is reached.');
    });

    it('finds the index that went between two looks, and the statement that used it', async () => {
      const client = await connect();
      for (let i = 0; i < 200; i++)
        await client.query('select count(*) from reviews where product = ?', [i % 300]);
      await ledger.look();
      await admin.query('drop index reviews_product on shop.reviews');
      let isOn = true;
      const load = (async () => {
        while (isOn) await client.query('select count(*) from reviews where product = 7');
      })();
      const fact = await until('the index is found', async () =>
        (await ledger.look()).facts.find(
          ({ object, weight }) => object === 'reviews_product' && weight >= 0.9,
        ),
      );
      isOn = false;
      await load;
      expect(steady(fact)).toMatch(
        /^The index `reviews_product on reviews` was dropped between TIME and TIME, and what used it is slow: `SELECT COUNT \( \* \) FROM reviews WHERE product = \?` takes/u,
      );
      await admin.query('create index reviews_product on shop.reviews(product)');
    });

    it('says that a replica has no connection to its source', async () => {
      await admin.query(
        "change master to master_host = '127.0.0.1', master_port = 1, master_user = 'x'; start slave",
      );
      expect((await ledger.find('replica-without-source')).sentence).toMatch(
        /^This replica has no connection to its source 127\.0\.0\.1/u,
      );
      await admin.query('stop slave; reset slave all');
    });
  });

  describe('three states that look like one', () => {
    it('says nothing of a long report that blocks nobody', async () => {
      send(await connect(), 'select sleep(30) from parcels limit 1');
      await until('it runs for seconds', async () => {
        const [rows] = await admin.query<RowDataPacket[]>(
          "select 1 from information_schema.processlist where user = 'packer' and time >= 3",
        );
        return rows.length === 1;
      });
      expect(await ledger.causes()).toEqual([]);
    });

    it('says nothing of a bulk load', async () => {
      const load = await connect();
      send(load, 'create table imported as select seq as id, md5(seq) as t from seq_1_to_3000000');
      expect(await ledger.causes()).toEqual([]);
      load.destroy();
      await admin.query('drop table if exists shop.imported');
    });

    it('says nothing of many sessions that sleep, and of one that waits a moment', async () => {
      for (let i = 0; i < 20; i++) await connect();
      const holder = await connect();
      await holder.query('begin');
      await holder.query('update parcels set n = 2 where id = 2');
      send(await connect(), 'update parcels set n = 3 where id = 2');
      expect(await ledger.causes()).toEqual([]);
    });
  });

  it('is told which rights its account lacks, and whether it may write', async () => {
    const check = (user: string) => checkDatabaseInside(server.settings({ name: 'ledger', user }));
    expect(await check('gumshoe')).toEqual({
      version: expect.stringMatching(/^MariaDB \d/u),
      missing: [],
      writes: null,
    });
    expect((await check('blind')).missing.map(({ grant }) => grant)).toEqual([
      "grant process on *.* to 'blind'@'%';",
      "grant slave monitor on *.* to 'blind'@'%';",
      "grant select on performance_schema.* to 'blind'@'%';",
    ]);
    expect((await check('packer')).writes).toBe('GRANT ALL PRIVILEGES ON `shop`.*');
    await expect(check('nobody')).rejects.toThrow('MySQL ledger refuses the account nobody');
    const blind = await looking(server.settings({ name: 'ledger', user: 'blind' }));
    expect((await blind.look()).unread.join(' ')).toContain(
      "What other sessions of ledger do is hidden from its account: grant process, replication client on *.* to 'blind'@'%';",
    );
    await blind.close();
  });
});
