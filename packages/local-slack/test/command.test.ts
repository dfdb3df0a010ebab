import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { localSlack } from '../src/command.ts';
import { tempFolder, until } from '../testing/index.ts';

/** Runs the command with these words; what it has printed, and how it ends. */
function run(...words: string[]) {
  const stop = new AbortController();
  const lines: string[] = [];
  const errors: string[] = [];
  const io = {
    out: (text: string) => lines.push(...text.split('\n')),
    err: (text: string) => errors.push(text),
    stop: stop.signal,
  };
  const ended = localSlack(words, io);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { lines, errors, ended, stop: () => stop.abort() };
}

const exported = (lines: readonly string[]) =>
  Object.fromEntries(
    lines.flatMap((line) => [...line.matchAll(/^export (\w+)=(.+)$/gu)].map((m) => [m[1], m[2]])),
  );

test('it prints what an app needs, runs until it is stopped, and keeps its tokens', async () => {
  const folder = await tempFolder();
  const manifest = join(folder, 'manifest.json');
  await writeFile(manifest, JSON.stringify({ display_information: { name: 'Robot' } }));
  const data = join(folder, 'data');
  const first = run('--port', '0', '--data', data, '--manifest', manifest, '--signing-secret', 'shared');
  await until(() => first.lines.length > 0);
  const env = exported(first.lines);
  expect(Object.keys(env)).toEqual([
    'SLACK_API_URL',
    'SLACK_BOT_TOKEN',
    'SLACK_APP_TOKEN',
    'SLACK_SIGNING_SECRET',
  ]);
  expect(env.SLACK_SIGNING_SECRET).toBe('shared');
  const client = new WebClient(env.SLACK_BOT_TOKEN, { slackApiUrl: env.SLACK_API_URL ?? '' });
  expect(await client.auth.test()).toMatchObject({ ok: true, user: 'robot' });
  const [, page = ''] = /page: (\S+)$/u.exec(first.lines[0] ?? '') ?? [];
  expect((await fetch(`${page}/page-api/state`)).status).toBe(200);
  first.stop();
  expect(await first.ended).toBe(0);

  const again = run('--port', '0', '--data', data, '--request-url', 'http://localhost:3000/slack/events');
  await until(() => again.lines.length > 0);
  const { SLACK_BOT_TOKEN, ...others } = exported(again.lines);
  expect(SLACK_BOT_TOKEN).toBe(env.SLACK_BOT_TOKEN);
  expect(Object.keys(others)).toEqual(['SLACK_API_URL', 'SLACK_SIGNING_SECRET']);
});

test('it says what is wrong with its words, with the manifest and with the port', async () => {
  const data = await tempFolder();
  const busy = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    busy.close();
  });
  await until(() => busy.listening);
  const address = busy.address();
  const port = String(typeof address === 'object' ? address?.port : '');
  const refusals: [string[], RegExp][] = [
    [['--prot', '1'], /^Unknown option '--prot'.*See local-slack --help\.$/su],
    [['--port', 'x'], /^--port must be a whole number from 0 to 65534\.$/u],
    [['--ack-timeout', '0'], /^--ack-timeout must be a number of seconds above 0\.$/u],
    [['--request-url', 'localhost:3000'], /^--request-url must be an address such as http:\/\/localhost/u],
    [['--port', '0', '--data', data, '--manifest', 'none.yml'], /The app manifest none\.yml cannot be used/u],
    [['--port', port, '--data', data], new RegExp(`^Port ${port} is in use`, 'u')],
  ];
  for (const [words, sentence] of refusals) {
    const { errors, ended } = run(...words);
    expect([await ended, errors.length]).toEqual([1, 1]);
    expect(errors[0]).toMatch(sentence);
  }
  const help = run('--help');
  expect(await help.ended).toBe(0);
  expect(help.lines.join('\n')).toContain('--manifest FILE');
});
