import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startChild, untilPrinted } from '../support/child.ts';
import { startPostgres } from '../support/postgres/server.ts';
import { until } from '../support/until.ts';
import { emptyDatabase, ISSUE, temporaryFolder } from './support.ts';

const Detail = z.looseObject({
  uuid: z.string(),
  number: z.int(),
  status: z.string(),
  versions: z.array(z.looseObject({ version: z.int(), status: z.string() })).optional(),
});
const Answer = z.looseObject({ conversation_id: z.string(), answer: z.string() });
const ENDED = { status: 'ready_to_fix', versions: [{ version: 1, status: 'SUCCESS' }] };

/** Whoever investigates something, however briefly, is noted in a table. */
const NOTE_OWNERS = `create table owners (owner text);
  create function note_owner() returns trigger language plpgsql as
    'begin if new.owner is not null then insert into owners values (new.owner); end if; return new; end';
  create trigger note_owner after insert or update on versions for each row execute function note_owner()`;

/** The service as a process of its own, over the simulated shop. */
async function startReplica(url: string) {
  const child = startChild('src/service.ts', { PORT: '0', DATABASE_URL: url }, temporaryFolder());
  onTestFinished(() => void child.process.kill('SIGKILL'));
  const [, base = '', key = ''] = await untilPrinted(child, /listening at (\S+)\nAPI key: (\S+)/u);
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${base}${path}`, init);
    const found: unknown = await answer.json();
    return { status: answer.status, body: found };
  };
  return {
    child,
    call,
    create: async () => {
      const { status, body } = await call('POST', '/issues', ISSUE);
      expect({ status, body }).toMatchObject({ status: 201 });
      return Detail.parse(body);
    },
    issue: async (uuid: string) => Detail.parse((await call('GET', `/issues/${uuid}`)).body),
    ready: async () => {
      const answer = await fetch(new URL('/readyz', base));
      return { status: answer.status, body: Object(await answer.json()) };
    },
    metrics: async () => (await fetch(new URL('/metrics', base))).text(),
    end: (signal: NodeJS.Signals) => {
      child.process.kill(signal);
      return child.ended;
    },
  };
}

const addressIn = (socket: string) =>
  `postgres://postgres:postgres@localhost/postgres?host=${encodeURIComponent(socket)}`;

/**
 * A way to the server that is cut as soon as a statement with `text` is sent on it, which is held back: nothing passes
 * then, but no connection ends, and nobody is told.
 */
async function startWire(url: string, text: string) {
  const name = '.s.PGSQL.5432';
  const server = new URL(url).searchParams.get('host') ?? '';
  const folder = temporaryFolder();
  const sockets = new Set<Socket>();
  let isCut = false;
  const heldBack: (() => void)[] = [];
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.pause();
  };
  const wire = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect(join(server, name));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (heldBack.length > 0 || from === far || !bytes.includes(text)) return void to.write(bytes);
        heldBack.push(() => to.write(bytes));
        cut();
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      if (isCut) from.pause();
    }
  });
  wire.listen(join(folder, name));
  await once(wire, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    wire.close();
  });
  const through = new URL(url);
  through.searchParams.set('host', folder);
  return {
    url: through.href,
    isCut: () => isCut,
    mend: () => {
      isCut = false;
      for (const pass of heldBack) pass();
      for (const socket of sockets) socket.resume();
    },
  };
}

/** Statements beside the replicas. */
async function beside(url: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return (text: string) => client.query(text).then(({ rows }) => rows);
}

const investigated = /^gumshoe_service_investigations_total\{outcome="\w+"\} 1$/mu;

describe('two replicas on one database', () => {
  it('have the same issues and conversations, and no number twice', async () => {
    const { url } = await emptyDatabase();
    const [one, other] = await Promise.all([startReplica(url), startReplica(url)]);
    const creating = Array.from({ length: 6 }, async (_, lane) => {
      const made = [];
      for (let n = 0; n < 5; n += 1) made.push(await (lane % 2 === 0 ? one : other).create());
      return made;
    });
    const created = (await Promise.all(creating)).flat();
    expect(created.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 1),
    );
    const asked = await one.call('POST', '/query', { question: 'what was #7?' });
    const { conversation_id } = Answer.parse(asked.body);
    const goesOn = { question: 'why?', conversation_id };
    const { status, body } = await other.call('POST', '/query', goesOn);
    expect(status).toBe(200);
    expect(Answer.parse(body).answer).toContain('#7');
    expect(await one.end('SIGTERM')).toBe(0);
    expect(await other.end('SIGTERM')).toBe(0);
  });

  it('create an issue while the other one is creating another', async () => {
    const { url } = await emptyDatabase();
    const wire = await startWire(url, 'insert into "seeds"');
    const [one, other] = await Promise.all([startReplica(wire.url), startReplica(url)]);
    const first = one.create();
    await until('it has taken its number, and has not committed', wire.isCut);
    expect(await other.create()).toMatchObject({ number: 2 });
    wire.mend();
    expect(await first).toMatchObject({ number: 1 });
  });

  it('begin one investigation where both are asked for another at once', async () => {
    const { url } = await emptyDatabase();
    const [one, other] = await Promise.all([startReplica(url), startReplica(url)]);
    const { uuid } = await one.create();
    await expect.poll(() => other.issue(uuid), { interval: 200 }).toMatchObject(ENDED);
    const again = await Promise.all(
      [one, other, one, other].map((replica) =>
        replica.call('PATCH', `/issues/${uuid}`, { status: 'investigating' }),
      ),
    );
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await expect
      .poll(() => one.issue(uuid), { interval: 200 })
      .toMatchObject({ status: 'ready_to_fix', versions: [{ version: 1 }, { version: 2 }] });
    expect((await other.issue(uuid)).versions).toHaveLength(2);
  });

  it('take over what one was investigating that was killed, once', async () => {
    const { url } = await emptyDatabase();
    const query = await beside(url);
    // It is killed as it is about to write what it found: where the machine is busy, it would end otherwise.
    const wire = await startWire(url, 'set "findings"');
    const dying = await startReplica(wire.url);
    const { uuid } = await dying.create();
    await until('it is about to write what it found', wire.isCut);
    const owner = async () => (await query('select owner from versions'))[0]?.owner;
    await dying.end('SIGKILL');
    expect(await owner()).toEqual(expect.any(String));
    const other = await startReplica(url);
    await expect.poll(() => other.issue(uuid), { interval: 200 }).toMatchObject(ENDED);
    expect(await owner()).toBeNull();
    await expect.poll(() => other.metrics(), { interval: 200 }).toMatch(investigated);
    const artifacts = await query('select distinct version from artifacts');
    expect(artifacts).toEqual(await query('select uuid as version from versions'));
  });

  it('take over what one was investigating that the network cut off, and what that one writes later is refused', async () => {
    const { url } = await emptyDatabase();
    const query = await beside(url);
    const wire = await startWire(url, 'set "findings"');
    const lost = await startReplica(wire.url);
    const { uuid } = await lost.create();
    await until('it is about to write what it found', wire.isCut);
    expect(await query('select findings from versions')).toEqual([{ findings: null }]);
    const other = await startReplica(url);
    await expect.poll(() => other.issue(uuid), { interval: 200 }).toMatchObject(ENDED);
    await until('it knows', () =>
      lost.child.output().includes('stopped investigations: the database was unavailable'),
    );
    const found = await query('select findings from versions');
    wire.mend();
    await until('it reads again', async () => (await lost.ready()).status === 200);
    expect(await lost.issue(uuid)).toMatchObject(ENDED);
    // What it was about to write comes before it ends.
    expect(await lost.end('SIGTERM')).toBe(0);
    expect(await query('select findings from versions')).toEqual(found);
  });

  it('hand over what they investigate when they are stopped', async () => {
    const { url } = await emptyDatabase();
    const query = await beside(url);
    const stopping = await startReplica(url);
    await query(NOTE_OWNERS);
    const { uuid } = await stopping.create();
    const owners = async () => (await query('select distinct owner from owners')).length;
    // Without a pause: it ends by itself after six seconds.
    while ((await owners()) === 0);
    expect(await stopping.end('SIGTERM')).toBe(0);
    expect(await query('select status, owner from versions')).toEqual([{ status: 'RUNNING', owner: null }]);
    const other = await startReplica(url);
    await expect.poll(() => other.issue(uuid), { interval: 200 }).toMatchObject(ENDED);
    expect(await owners()).toBe(2);
  });

  it('lose nothing, and make nothing twice, where the server ends their connections', async () => {
    const { url } = await emptyDatabase();
    const query = await beside(url);
    const replicas = await Promise.all([startReplica(url), startReplica(url)]);
    const numbers: number[] = [];
    let left = true;
    const creating = Promise.all(
      replicas.flatMap((replica) =>
        Array.from({ length: 4 }, async () => {
          for (let i = 0; i < 10; i++) numbers.push((await replica.create()).number);
        }),
      ),
    ).finally(() => {
      left = false;
    });
    // As often as issues are made: a machine that is too busy for one between two blows would never get any further.
    const hitting = async () => {
      while (left) {
        const before = numbers.length;
        await query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() limit 3`);
        await until('two more are made', () => !left || numbers.length >= before + 2);
      }
    };
    await Promise.all([creating, hitting()]);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, i) => i + 1));
    expect(await query('select count(*)::int as rows from issues')).toEqual([{ rows: 80 }]);
  });
});

it('ends in good order while the database is away', async () => {
  const { server, socket } = await startPostgres({ persistent: true });
  onTestFinished(() => rm(socket, { recursive: true, force: true }));
  const replica = await startReplica(addressIn(socket));
  await replica.create();
  await server.stop();
  const unanswered = replica.create().catch((error: unknown) => error);
  await expect.poll(() => replica.child.output()).toContain('a connection to the database was lost');
  expect(await replica.end('SIGTERM')).toBe(0);
  expect(await unanswered).toBeInstanceOf(Error);
});

it('a server that is restarted costs no request and no investigation, and readiness says that it is away', async () => {
  const { server, socket } = await startPostgres({ persistent: true });
  onTestFinished(async () => {
    await server.stop();
    await rm(socket, { recursive: true, force: true });
  });
  const replica = await startReplica(addressIn(socket));
  const { uuid } = await replica.create();
  expect((await replica.ready()).status).toBe(200);

  await server.stop();
  const away = await replica.ready();
  expect(away).toMatchObject({ status: 503, body: { ready: false } });
  expect(away.body.reasons).toEqual([
    expect.stringMatching(
      /^cannot reach the database \(.+\): check that PostgreSQL runs and takes connections from here$/u,
    ),
  ]);
  const meanwhile = replica.create();
  await server.start();

  expect((await meanwhile).number).toBe(2);
  await expect.poll(() => replica.issue(uuid), { interval: 200 }).toMatchObject(ENDED);
  await expect.poll(async () => (await replica.ready()).status).toBe(200);
  expect(replica.child.output()).not.toContain('postgres:postgres');
  expect(await replica.end('SIGTERM')).toBe(0);
});
