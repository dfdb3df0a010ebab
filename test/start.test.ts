import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { start } from '../src/start.ts';
import { temporaryFolder } from './service/support.ts';
import { call, launch } from './support/call.ts';
import { startSurroundings } from './support/program.ts';

const SLACK = { SLACK_BOT_TOKEN: 'xoxb-1-2', SLACK_APP_TOKEN: 'xapp-1-A-2', ALLOW_SIMULATED: 'true' };
const SERVICE = { ISSUE_SERVICE_URL: 'http://127.0.0.1:9/api/v2', ISSUE_SERVICE_API_KEY: 'a-key-of-nobody' };

describe('npm start ends with 1 and a sentence', () => {
  it.each<[where: string, words: string[], env: Record<string, string>, says: string[]]>([
    [
      'a flag is unknown',
      ['--speed', '2'],
      {},
      [
        'npm start has no flag --speed: the flags are --scenario <name>, --deliver socket|http, --ack-timeout <seconds> and --help.',
      ],
    ],
    [
      'a flag is for the simulated shop, and the service is real',
      ['--scenario', 'storm'],
      SERVICE,
      [
        '--scenario needs the simulated shop, but ISSUE_SERVICE_URL configures a real service. Remove one of them.',
      ],
    ],
    [
      'a flag is for the embedded Slack, and Slack is real',
      ['--deliver', 'http'],
      SLACK,
      [
        '--deliver only applies to the embedded Slack, but SLACK_BOT_TOKEN configures a real one. Remove one of them.',
      ],
    ],
    [
      'variables are invalid',
      [],
      { PORT: 'eighty', LOG_LEVEL: 'loud' },
      [
        'PORT must be a whole number from 0 to 65535; for example PORT=3000',
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent; for example LOG_LEVEL=info',
      ],
    ],
    [
      'a source of telemetry is invalid',
      [],
      { PROMETHEUS_URL: 'prometheus' },
      [
        'PROMETHEUS_URL must be a URL starting with http:// or https://; for example PROMETHEUS_URL=http://prometheus:9090',
      ],
    ],
  ])('where %s', async (_where, words, env, says) => {
    expect(await call(start, words, env)).toEqual({ code: 1, stdout: '', stderr: `${says.join('\n')}\n` });
  });
});

it('npm start -- --help prints the flags, and ends with 0', async () => {
  expect(await call(start, ['--help'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^npm start -- \[flags\]\n/u),
    stderr: '',
  });
});

it('npm start with a real Slack runs the bot beside the embedded service, without the page', async () => {
  const around = await startSurroundings('socket');
  onTestFinished(() => around.close());
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL } = around.env;
  const DATABASE_URL = `sqlite:${temporaryFolder()}/gumshoe.db`;
  const env = { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL, DATABASE_URL, ALLOW_SIMULATED: 'true' };
  const { printed, prints, emit, ended } = launch(start, [], { ...env, PORT: '0', HOST: '127.0.0.1' });
  await prints(/Press Ctrl-C/u);
  expect(printed.stdout).toMatch(
    /^Gumshoe is running\.\n {2}Slack: your workspace\n {2}Investigation service: embedded at http\S+, over a simulated shop\n {2}Press Ctrl-C to stop\.\n$/u,
  );
  const [, url = ''] = await prints(/"url":"(http:[^"]+)","msg":"Gumshoe is running"/u);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(url)).status).toBe(404);
  emit('SIGTERM');
  expect(await ended).toBe(0);
  expect(printed.stderr).toBe('');
});

/** `npm start` with nothing configured, in a folder of its own. */
function demo(words: string[], more: Record<string, string> = {}) {
  const env = {
    DATABASE_URL: `sqlite:${temporaryFolder()}/gumshoe.db`,
    PORT: '0',
    HOST: '127.0.0.1',
    ...more,
  };
  return launch(start, words, env);
}

describe('npm start with the embedded Slack', () => {
  it.each(['SIGTERM', 'SIGINT'])(
    'announces what is embedded, and stops it all on %s, with 0',
    async (signal) => {
      const { printed, prints, emit, ended } = demo(['--scenario', 'quiet']);
      await prints(/Press Ctrl-C/u);
      expect(printed.stdout).toMatch(
        /^Gumshoe is running\.\n {2}Slack: local workspace at (http\S+)\n {2}Investigation service: embedded at \S+, over a simulated shop\n {2}Playing the scenario "quiet"\.\n {2}Press Ctrl-C to stop\.\n$/u,
      );
      const [, page = ''] = /workspace at (\S+)/u.exec(printed.stdout) ?? [];
      const status = async (path: string) => (await fetch(page + path)).status;
      expect([await status(''), await status('/readyz'), await status('/no-such-page')]).toEqual([
        200, 200, 404,
      ]);
      emit(signal);
      expect(await ended).toBe(0);
      await expect(fetch(page)).rejects.toThrow('fetch failed');
      expect(printed.stderr).toBe('');
    },
  );

  it('names the scenarios where there is none of that name', async () => {
    const { printed, ended } = demo(['--scenario', 'earthquake']);
    expect(await ended).toBe(1);
    expect(printed.stderr).toMatch(
      /^There is no scenario "earthquake"\. Available: payments-deploy, .*quiet\.\n$/u,
    );
  });

  it('says that its port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo; // listening on a port, so neither a path nor null
    const { printed, ended } = demo([], { PORT: String(port) });
    expect(await ended).toBe(1);
    expect(printed.stderr).toBe(
      `Port ${port} is already in use. Stop the other program, or set PORT to a free port, for example PORT=3001.\n`,
    );
  });
});
