import { mkdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { checkDatabaseInside } from '../../../src/service/databases/databases.ts';
import { connectRedis, type RedisConnection } from '../../../src/service/databases/resp.ts';
import { openSession } from '../../../src/service/databases/session.ts';
import { looking, steady } from '../../support/databases/looking.ts';
import { missingServer, startRedis, type TestServer } from '../../support/databases/servers.ts';
import { until } from '../../support/until.ts';

/** What no look may ever show. */
const PLANTED = 'anna.schmidt@example.com';
const ENDLESS = { statements: 1e9, statementMs: 1e8, ms: 1e8, bytes: 1e12 };

describe.skipIf(missingServer('redis'))('inside Redis', () => {
  const ending: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
  });

  async function start(...words: string[]) {
    const server = await startRedis(words);
    ending.push(() => server.stop());
    const cache = await looking(server.settings({ name: 'cache' }));
    ending.push(() => cache.close());
    return { server, cache, client: await connect(server) };
  }
  async function connect(server: TestServer, name = 'storefront'): Promise<RedisConnection> {
    const session = openSession(server.settings(), 'Redis', ENDLESS);
    const client = await connectRedis(server.settings(), session);
    ending.push(() => {
      client.close();
      session.end();
    });
    await client.send([['CLIENT', 'SETNAME', name]]);
    return client;
  }
  /** Sets keys until one is refused, or there are so many. */
  async function fill(
    client: RedisConnection,
    prefix: string,
    most: number,
    ...more: string[]
  ): Promise<void> {
    for (let i = 0; i < most; i += 100) {
      const some = Array.from({ length: 100 }, (_, j) => [
        'SET',
        `${prefix}:${i + j}`,
        PLANTED.padEnd(2_000, 'y'),
        ...more,
      ]);
      if ((await client.send(some)).some((reply) => reply !== 'OK')) return;
    }
  }

  describe('five faults', () => {
    it('is full: the limit, the policy, the prefix that has the memory, and no key', async () => {
      const { cache, client } = await start('--maxmemory', '20mb', '--maxmemory-policy', 'noeviction');
      await client.send(Array.from({ length: 50 }, (_, i) => ['SET', `session:${i}`, 'x', 'EX', '1000']));
      await client.send([['SET', PLANTED, 'x']]);
      await fill(client, 'import', 100_000);
      const fact = await cache.find('memory-full');
      expect(fact).toMatchObject({ database: 'cache', object: 'import:*' });
      expect(fact.sentence).toMatch(
        /^Redis uses [\d.]+ MiB of at most 20 MiB with the policy noeviction.* `import:\*` has the most memory \(\d+%, [\d,]+ keys, none with an expiry\)/u,
      );
      expect(fact.steps.map(({ type, content }) => `${type} ${content}`)).toEqual([
        'check redis-cli info memory',
        expect.stringContaining('info An import'),
        'command redis-cli config set maxmemory 32mb',
        'command redis-cli config set maxmemory-policy allkeys-lru',
        "command redis-cli --scan --pattern 'import:*' | xargs -r -n 500 redis-cli unlink",
      ]);
      expect(JSON.stringify(await cache.look())).not.toContain('anna');
    });

    it('has no connection left: whose they are', async () => {
      const { server, cache } = await start('--maxclients', '20');
      for (let i = 0; i < 17; i++) await connect(server);
      const fact = await cache.find('connections-used-up');
      expect(fact.sentence).toMatch(
        /^\d\d of 20 connections are in use.*; 18 of them are of `storefront` at 127\.0\.0\.1/u,
      );
      await connect(server);
      await connect(server).catch(() => undefined);
      await connect(server).catch(() => undefined);
      const refused = await until('it is refused', async () =>
        (await cache.look()).facts.find(({ sentence }) => sentence.includes('accepts no more')),
      );
      expect(refused.sentence).toBe('Redis cache accepts no more connections: maxclients is reached.');
    });

    it('is held up by a slow command: which, and no argument of it', async () => {
      const { cache, client } = await start(
        '--slowlog-log-slower-than',
        // Of a busy machine, our own commands take milliseconds, and would push these out of the newest.
        '100000',
        '--enable-debug-command',
        'yes',
      );
      await client.send(Array.from({ length: 20 }, (_, i) => ['SET', `user:${i}`, PLANTED]));
      for (let i = 0; i < 4; i++)
        await client.send([
          [
            'EVAL',
            `local t = redis.call('TIME'); repeat local n = redis.call('TIME') until (n[1] - t[1]) * 1000000 + n[2] - t[2] > 300000 return 1`,
            '1',
            `user:${PLANTED}`,
          ],
        ]);
      const fact = await cache.find('slow-commands');
      expect(steady(fact)).toMatch(
        /^`EVAL [^`]*` was slow 4 times since TIME, for up to SOME TIME: while it runs, Redis serves nobody else\.$/u,
      );
      expect(JSON.stringify(await cache.look())).not.toContain('anna');
    });

    it('could not save: writes are refused', async () => {
      const { server, cache, client } = await start();
      await client.send([['SET', 'a', '1']]);
      // A folder by the name of the file to write.
      mkdirSync(`${server.folder}/data/dump.rdb`);
      await client.send([['BGSAVE']]);
      const fact = await cache.find('save-failed');
      expect(steady(fact)).toMatch(/^The last save to disk failed.*writes are refused \(MISCONF\)\.$/u);
    });

    it('is a replica that has lost its master', async () => {
      const { cache, client } = await start();
      await client.send([['REPLICAOF', '127.0.0.1', '1']]);
      const fact = await cache.find('replica-without-source');
      expect(fact.sentence).toMatch(/^This replica has had no connection to its master 127\.0\.0\.1:1/u);
    });
  });

  describe('three states that look like one', () => {
    it('says nothing of a full cache that evicts', async () => {
      const { cache, client } = await start('--maxmemory', '20mb', '--maxmemory-policy', 'allkeys-lru');
      await fill(client, 'page', 20_000);
      expect(await cache.causes()).toEqual([]);
      expect((await cache.look()).read[0]).toMatch(/^memory \((?:19|20)[\d.]* MiB of 20 MiB\)$/u);
    });

    it('says nothing of many keys without an expiry, far from the limit', async () => {
      const { cache, client } = await start('--maxmemory', '200mb', '--maxmemory-policy', 'noeviction');
      await fill(client, 'product', 10_000);
      expect(await cache.causes()).toEqual([]);
    });

    it('says nothing of one slow command', async () => {
      const { cache, client } = await start('--slowlog-log-slower-than', '1000');
      await client.send([
        [
          'EVAL',
          "local t = redis.call('TIME'); repeat local n = redis.call('TIME') until (n[1] - t[1]) * 1000000 + n[2] - t[2] > 200000 return 1",
          '0',
        ],
      ]);
      expect(await cache.causes()).toEqual([]);
    });
  });

  it('is told which rights its account lacks, and whether it may write', async () => {
    const { server, client } = await start();
    await client.send([
      [
        'ACL',
        'SETUSER',
        'gumshoe',
        'on',
        '>secret',
        '~*',
        'resetchannels',
        '-@all',
        '+info',
        '+client|list',
        '+client|setname',
        '+config|get',
        '+slowlog|get',
        '+scan',
        '+memory|usage',
        '+pttl',
        '+acl|whoami',
      ],
      ['ACL', 'SETUSER', 'blind', 'on', '>secret', '~*', '-@all', '+info', '+client|setname'],
    ]);
    const check = (user: string, password = 'secret') =>
      checkDatabaseInside(server.settings({ name: 'cache', user, password }));
    expect(await check('gumshoe')).toEqual({
      version: expect.stringMatching(/^(?:Redis|Valkey) \d/u),
      missing: [],
      writes: null,
    });
    expect((await check('blind')).missing.map(({ what }) => what)).toEqual([
      'Limits (CONFIG GET) cannot be read',
      'Slow commands (SLOWLOG GET) cannot be read',
      'Connections (CLIENT LIST) cannot be read',
    ]);
    expect((await check('', '')).writes).toContain('it may run any command');
    await expect(check('gumshoe', 'wrong')).rejects.toThrow(
      'Redis cache refuses the account: correct it in DATABASES, or its password.',
    );
    const blind = await looking(server.settings({ name: 'cache', user: 'blind', password: 'secret' }));
    ending.push(() => blind.close());
    expect((await blind.look()).unread).toHaveLength(3);
  });
});
