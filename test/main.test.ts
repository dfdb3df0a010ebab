import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../src/bot/store/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { startApiProxy } from './bot/slack/support/api-proxy.ts';
import { type Child, startChild, untilSays } from './support/child.ts';
import { type Mode, SERVICE_KEY, type Surroundings, startSurroundings } from './support/program.ts';

const children: Child[] = [];
let around: Surroundings;

beforeAll(async () => {
  around = await startSurroundings('socket');
});

afterEach(() => {
  for (const { process } of children.splice(0)) process.kill('SIGKILL');
});

afterAll(() => around.close());

let files = 0;

/** The bot as a process, with a database of its own unless told. */
function start(env: Record<string, string> = {}): Child {
  files += 1;
  const database = `sqlite:${around.folder}/main-${files}.db`;
  const child = startChild('src/main.ts', {
    ...around.env,
    DATABASE_URL: database,
    LOG_LEVEL: 'debug',
    ...env,
  });
  children.push(child);
  return child;
}

/** What it said outside its log. */
function sentences(child: Child): string[] {
  return child
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
}

function urlOf(child: Child): Promise<string> {
  return untilSays(child, /"url":"(http:[^"]+)","msg":"Gumshoe is running"/).then((match) => match[1] ?? '');
}

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s stops the bot in order, with code 0', async (signal) => {
    const child = start();
    const url = await urlOf(child);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    child.process.kill(signal);
    expect(await child.ended).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
    expect(around.workspace.online()).toBe(false);
    expect(sentences(child)).toEqual([]);
    expect(child.output()).not.toContain('"level":50');
  });

  it('lets go of the database, so that the next start waits for nothing', async () => {
    const child = start({ DATABASE_URL: `sqlite:${around.folder}/handed-over.db` });
    await urlOf(child);
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    const store = await openStore({
      file: `${around.folder}/handed-over.db`,
      clock: systemClock,
      lockWaitMs: 0,
    });
    expect(await store.inbox.countOpen()).toBe(0);
    await store.close();
  });

  it.each<[string, number]>([
    ['cannot reach Slack', 0],
    ['Slack did not open a connection', 1],
  ])('ends a start that waits because %s', async (_why, answered) => {
    const failing = createServer((req, res) => {
      const identity = {
        user_id: 'U0BOT',
        bot_id: 'B0BOT',
        team_id: 'T0ACME',
        url: 'https://acme.slack.com/',
      };
      const known = answered > 0 && (req.url ?? '').endsWith('/auth.test');
      res.writeHead(known ? 200 : 500, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ ok: true, ...identity }));
    });
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
    const { port } = failing.address() as AddressInfo; // listening on a port, so neither a path nor null
    const child = start({ SLACK_API_URL: `http://127.0.0.1:${port}/api/` });
    await untilSays(child, answered === 0 ? /cannot reach Slack yet/ : /Socket Mode is not connected yet/);
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    failing.closeAllConnections();
    failing.close();
    expect(sentences(child)).toEqual([]);
  });
});

describe('what cannot start', () => {
  it('says each mistake in the configuration in a line of its own, and ends with 1', async () => {
    const child = start({ PORT: 'eighty', POLL_CRON: 'often', SLACK_APP_TOKEN: 'xoxb-not-an-app-token' });
    expect(await child.ended).toBe(1);
    expect(sentences(child).map((line) => line.split(' ')[0])).toEqual([
      'SLACK_APP_TOKEN',
      'PORT',
      'POLL_CRON',
    ]);
    expect(child.output()).not.toMatch(/^\s+at /mu);
    expect(child.output()).not.toContain('xoxb-not-an-app-token');
  });

  it('says that it embeds nothing where nothing is configured', async () => {
    const child = startChild('src/main.ts', {});
    children.push(child);
    expect(await child.ended).toBe(1);
    expect(sentences(child)).toEqual([
      'This command embeds nothing: set SLACK_BOT_TOKEN with SLACK_APP_TOKEN (or SLACK_SIGNING_SECRET), and ' +
        'ISSUE_SERVICE_URL with ISSUE_SERVICE_API_KEY. `npm start` embeds what is missing.',
    ]);
  });

  it.each(['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'])('says that Slack refuses %s', async (name) => {
    const token = name === 'SLACK_BOT_TOKEN' ? 'xoxb-1234-of-nobody' : 'xapp-1-of-nobody';
    const child = start({ [name]: token });
    expect(await child.ended).toBe(1);
    expect(sentences(child)).toEqual([
      `Slack rejected ${name} (invalid_auth). Open your app at https://api.slack.com/apps, check that it is ` +
        'installed in the workspace, copy the token again, and restart.',
    ]);
    expect(child.output()).not.toContain(token);
  });

  it('says that its port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo; // listening on a port, so neither a path nor null
    const child = start({ PORT: String(port) });
    const code = await child.ended;
    other.close();
    expect(code).toBe(1);
    expect(sentences(child)).toEqual([
      `Port ${port} is already in use. Stop the other program, or set PORT to a free port, for example PORT=3001.`,
    ]);
  });
});

it('Slack that revokes the token of a running bot ends it with a sentence and 1', async () => {
  const api = await startApiProxy(around.workspace.apiUrl);
  const child = start({ SLACK_API_URL: api.url });
  await urlOf(child);
  api.next({ error: 'token_revoked' }, { error: 'token_revoked' });
  around.workspace.disconnectSockets('warning');
  expect(await child.ended).toBe(1);
  expect(sentences(child)).toEqual([
    'Slack rejected SLACK_APP_TOKEN (token_revoked). Open your app at https://api.slack.com/apps, check that it ' +
      'is installed in the workspace, copy the token again, and restart.',
  ]);
});

describe('a second process on the same database', () => {
  it('waits, says so, and takes over when the first one stops', async () => {
    const database = { DATABASE_URL: `sqlite:${around.folder}/rolling.db` };
    const first = start(database);
    await urlOf(first);
    const second = start(database);
    await untilSays(second, /another process has the database locked; waiting for it to stop/);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const url = await urlOf(second);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  });

  it('gives up after 15 seconds and says why', async () => {
    const database = { DATABASE_URL: `sqlite:${around.folder}/held.db` };
    const first = start(database);
    await urlOf(first);
    const second = start(database);
    expect(await second.ended).toBe(1);
    expect(sentences(second)).toEqual([
      `Another Gumshoe is running on ${around.folder}/held.db and did not stop within 15 seconds. ` +
        'Stop it, or give this one its own file with DATABASE_URL=sqlite:./data/other.db.',
    ]);
  });

  it('that finds the file damaged ends with 1, and says how to restore it', async () => {
    const file = `${around.folder}/damaged.db`;
    writeFileSync(file, 'this is a shopping list, and a long one\n'.repeat(200));
    const damaged = start({ DATABASE_URL: `sqlite:${file}` });
    expect(await damaged.ended).toBe(1);
    expect(sentences(damaged)).toEqual([
      `The database ${file} is corrupt and will not be used. Move it and its -wal and -shm files away, put the ` +
        'latest backup (made with `npm run backup`) in its place, then start again.',
    ]);
  });

  it('that is told to stop while it waits ends with 0', async () => {
    const database = { DATABASE_URL: `sqlite:${around.folder}/impatient.db` };
    const first = start(database);
    await urlOf(first);
    const second = start(database);
    await untilSays(second, /another process has the database locked/);
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  });
});

describe.each<Mode>(['socket', 'http'])('over %s', (mode) => {
  it('no secret is in anything that the bot writes, not even at the level trace', async () => {
    const own = await startSurroundings(mode);
    const child = startChild('src/main.ts', { ...own.env, LOG_LEVEL: 'trace' });
    children.push(child);
    const url = await urlOf(child);
    if (mode === 'http') own.workspace.setDelivery(`${url}/slack/events`);
    await own.workspace.command({
      as: 'U0ALICE001',
      channel: 'C0GENERAL1',
      command: '/issue',
      text: '404',
    });
    await own.service.close();
    await own.workspace.post({ channel: 'alerts', username: 'Tool', text: '[FIRING] disk is full' });
    await untilSays(child, /decided on a message/);
    await untilSays(child, /called the investigation service/);
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    await own.close();
    const secrets = [
      own.workspace.botToken,
      own.workspace.appToken,
      own.workspace.signingSecret,
      SERVICE_KEY,
    ];
    expect(secrets.filter((secret) => child.output().includes(secret))).toEqual([]);
  });
});
