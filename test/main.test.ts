import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../src/bot/store/open.ts';
import { main } from '../src/main.ts';
import { call, launch } from './support/call.ts';
import { instantClock } from './support/manual-clock.ts';
import { type Surroundings, startSurroundings } from './support/program.ts';
import { startApiProxy } from './support/proxies/api-proxy.ts';

let around: Surroundings;

beforeAll(async () => {
  around = await startSurroundings('socket');
});
afterAll(() => around.close());

/** The bot between its surroundings, with a database of its own. */
function environment(more: Record<string, string> = {}): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'gumshoe-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { ...around.env, DATABASE_URL: `sqlite:${folder}/gumshoe.db`, LOG_LEVEL: 'debug', ...more };
}

async function listening(listener?: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // listening on a port, so neither a path nor null
  return String(port);
}

const rejected = (name: string, error: string) =>
  `Slack rejected ${name} (${error}). Open your app at https://api.slack.com/apps, check that it is installed in the ` +
  'workspace, copy the token again, and restart.';

describe('a start that is refused ends with 1, and says', () => {
  it.each<[what: string, env: () => Record<string, string>, says: string[]]>([
    [
      'each mistake in the configuration in a line of its own, without a secret',
      () => environment({ PORT: 'eighty', POLL_CRON: 'often', SLACK_APP_TOKEN: 'xoxb-not-an-app-token' }),
      [
        'SLACK_APP_TOKEN holds a bot token (xoxb-…), which belongs in SLACK_BOT_TOKEN; for example SLACK_APP_TOKEN=xapp-your-app-level-token',
        'PORT must be a whole number from 0 to 65535; for example PORT=3000',
        'POLL_CRON must be a cron expression (seconds first); for example POLL_CRON=*/15 * * * * *',
      ],
    ],
    [
      'that it embeds nothing where nothing is configured',
      () => ({}),
      [
        'This command embeds nothing: set SLACK_BOT_TOKEN with SLACK_APP_TOKEN (or SLACK_SIGNING_SECRET), and ' +
          'ISSUE_SERVICE_URL with ISSUE_SERVICE_API_KEY. `npm start` embeds what is missing.',
      ],
    ],
    [
      'that Slack refuses the bot token',
      () => environment({ SLACK_BOT_TOKEN: 'xoxb-1234-of-nobody' }),
      [rejected('SLACK_BOT_TOKEN', 'invalid_auth')],
    ],
    [
      'that Slack refuses the app-level token',
      () => environment({ SLACK_APP_TOKEN: 'xapp-1-of-nobody' }),
      [rejected('SLACK_APP_TOKEN', 'invalid_auth')],
    ],
  ])('%s', async (_what, env, says) => {
    const { printed, ended } = launch(main, [], env());
    expect(await ended).toBe(1);
    expect(printed).toMatchObject({ stdout: '', stderr: `${says.join('\n')}\n` });
    expect(printed.log).not.toMatch(/nobody|not-an-app-token/u);
  });

  it('that its port is taken', async () => {
    const port = await listening();
    expect(await call(main, [], environment({ PORT: port }))).toEqual({
      code: 1,
      stdout: '',
      stderr: `Port ${port} is already in use. Stop the other program, or set PORT to a free port, for example PORT=3001.\n`,
    });
  });

  it('that its database is damaged, and how to restore it', async () => {
    const env = environment();
    const file = (env.DATABASE_URL ?? '').replace('sqlite:', '');
    writeFileSync(file, 'this is a shopping list, and a long one\n'.repeat(200));
    expect(await call(main, [], env)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `The database ${file} is corrupt and will not be used. Move it and its -wal and -shm files away, put the ` +
        'latest backup (made with `npm run backup`) in its place, then start again.\n',
    });
  });
});

describe('a running bot', () => {
  async function running(env: Record<string, string>) {
    const bot = launch(main, [], env);
    const [, url = ''] = await bot.prints(/"url":"(http:[^"]+)","msg":"Gumshoe is running"/u);
    return { ...bot, url };
  }

  it.each(['SIGTERM', 'SIGINT'])(
    'stops in order on %s, with 0, and lets go of everything',
    async (signal) => {
      const env = environment();
      const { printed, emit, ended, url } = await running(env);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      emit(signal);
      expect(await ended).toBe(0);
      await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
      expect(around.workspace.online()).toBe(false);
      const file = (env.DATABASE_URL ?? '').replace('sqlite:', '');
      const store = await openStore({ file, clock: instantClock(), lockWaitMs: 0 });
      expect(await store.inbox.countOpen()).toBe(0);
      await store.close();
      const { stdout, stderr, log } = printed;
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
      expect(log).not.toContain('"level":50');
    },
  );

  it('ends with 1 and a sentence when Slack revokes its token', async () => {
    const api = await startApiProxy(around.workspace.apiUrl);
    const { printed, ended } = await running(environment({ SLACK_API_URL: api.url }));
    api.next({ error: 'token_revoked' }, { error: 'token_revoked' });
    around.workspace.disconnectSockets('warning');
    expect(await ended).toBe(1);
    expect(printed.stderr).toBe(`${rejected('SLACK_APP_TOKEN', 'token_revoked')}\n`);
  });

  it('logs what nobody handled', async () => {
    const { printed, emit, ended } = await running(environment());
    emit('unhandledRejection', new Error('lost and found'));
    emit('SIGTERM');
    expect(await ended).toBe(0);
    expect(printed.log).toMatch(/lost and found.*"msg":"unhandled promise rejection"/u);
  });
});

it.each([
  ['cannot reach Slack', false, /cannot reach Slack yet/u],
  ['Slack did not open a connection', true, /Socket Mode is not connected yet/u],
])('a signal ends a start that waits because %s, with 0', async (_why, knows, waits) => {
  const identity = { user_id: 'U0BOT', bot_id: 'B0BOT', team_id: 'T0ACME', url: 'https://acme.slack.com/' };
  const port = await listening((req, res) => {
    const known = knows && (req.url ?? '').endsWith('/auth.test');
    res.writeHead(known ? 200 : 500, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ ok: true, ...identity }));
  });
  const env = environment({ SLACK_API_URL: `http://127.0.0.1:${port}/api/` });
  const { printed, prints: says, emit, ended } = launch(main, [], env);
  await says(waits);
  emit('SIGTERM');
  expect(await ended).toBe(0);
  expect(printed.stderr).toBe('');
});
