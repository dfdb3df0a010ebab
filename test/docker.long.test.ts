import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../src/lib/clock.ts';
import { filesBelow } from './support/files.ts';
import { buildImage, type Image } from './support/image.ts';
import { readTree } from './support/imports.ts';
import { unusedPort } from './support/scripted-service.ts';
import { testSlack } from './support/slack.ts';

const buildTimeoutMs = 300_000;
/** As the Dockerfile, `deploy/` and the documents name it. */
const serviceCommand = ['node', '--no-regexp-tier-up', 'src/service.ts'];

describe('the image', () => {
  let image: Image;

  beforeAll(async () => {
    image = await buildImage();
  }, buildTimeoutMs);
  afterAll(() => image?.[Symbol.dispose]());

  const inImage = (...path: string[]) => join(image.workdir, ...path);

  /** The image's own environment, command and folder; `/data` is below its root. */
  function start(env: Record<string, string>, command: string[] = image.command): ChildProcess {
    const data = join(image.root, 'data');
    const own = Object.entries(image.env).map(([name, value]) => [
      name,
      value.replace('/data', data).replace('/app', image.workdir),
    ]);
    return spawn(process.execPath, command.slice(1), {
      cwd: image.workdir,
      env: { ...Object.fromEntries(own), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function outcome(
    child: ChildProcess,
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    if (child.stdout === null || child.stderr === null) throw new Error('The output is not piped');
    const ended = new Promise<number | null>((resolve) => {
      child.on('close', resolve);
    });
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  }

  it('holds production packages, the source without what is embedded, and nothing else', () => {
    expect(readdirSync(image.workdir).sort()).toEqual([
      '.compiled',
      'LICENSE',
      'manifest.yml',
      'node_modules',
      'package.json',
      'src',
    ]);
    expect(existsSync(inImage('src/main.ts'))).toBe(true);
    expect(existsSync(inImage('src/service.ts'))).toBe(true);
    expect(existsSync(inImage('src/demo'))).toBe(false);
    expect(existsSync(inImage('src/start.ts'))).toBe(false);
    const packages = ['@slack/bolt', 'better-sqlite3', 'typescript', 'vitest', 'react', 'vite', 'node'];
    expect(packages.filter((name) => existsSync(inImage('node_modules', name)))).toEqual([
      '@slack/bolt',
      'better-sqlite3',
    ]);
  });

  it('brings Node and a folder to write to, and no package manager', () => {
    const files = filesBelow(image.root, (path) => !path.startsWith('app/'));
    expect(files).toEqual(['usr/lib/libatomic.so.1', 'usr/local/bin/node']);
    expect(existsSync(join(image.root, 'data'))).toBe(true);
    const managers = ['npm', 'npx', 'corepack', 'yarn', 'pnpm'];
    expect(managers.filter((name) => existsSync(inImage('node_modules', name)))).toEqual([]);
    const [bytes = ''] = execFileSync('du', ['-sb', image.root], { encoding: 'utf8' }).split('\t');
    console.info(
      `The image adds ${(Number(bytes) / 1_000_000).toFixed(0)} MB to its base, before compression.`,
    );
  });

  it('holds every package that its source imports', () => {
    const missing = readTree(inImage('src')).packages.filter(
      ({ to, kind }) => kind !== 'type' && !existsSync(inImage('node_modules', to)),
    );
    expect(missing).toEqual([]);
  });

  it('says in one line for each variable what is missing, and ends with 1', async () => {
    const { code, stdout, stderr } = await outcome(start({}));
    const lines = `${stdout}${stderr}`.trim().split('\n');
    expect(
      lines.filter((line) => / is missing: /.test(line)).map((line) => /[A-Z_]{4,}/.exec(line)?.[0]),
    ).toEqual(['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'ISSUE_SERVICE_URL', 'ISSUE_SERVICE_API_KEY']);
    expect(`${stdout}${stderr}`).not.toMatch(/ERR_MODULE_NOT_FOUND|\n {4}at /);
    expect(code).toBe(1);
  });

  it('runs code that was compiled with the image, and compiles none of its own again', async () => {
    const { stdout, stderr } = await outcome(start({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }));
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('/app/src/'));
    const outcomes = new Set(lines.flatMap((line) => /V8 code cache .* was (\w+)/u.exec(line)?.[1] ?? []));
    expect(outcomes).toEqual(new Set(['accepted']));
  });

  it('starts, is healthy by its own check, writes to /data alone, and ends with 0 on SIGTERM', async () => {
    const slack = await testSlack(systemClock, 'xoxb-of-the-container').workspace();
    const port = String(await unusedPort());
    const before = filesOf(image.workdir);
    const child = start({
      PORT: port,
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
      SLACK_API_URL: slack.apiUrl,
      ISSUE_SERVICE_URL: 'http://127.0.0.1:1/api/v2',
      ISSUE_SERVICE_API_KEY: 'key-of-the-container',
    });
    const ended = outcome(child);
    await answering(`http://127.0.0.1:${port}/healthz`, ended);
    const health = await outcome(start({ PORT: port }, image.healthcheck));
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect(`${stdout}${stderr}`).not.toContain('ERR_MODULE_NOT_FOUND');
    expect(health).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(code).toBe(0);
    expect(filesOf(image.workdir)).toEqual(before);
    expect(readdirSync(join(image.root, 'data'))).toContain('gumshoe.db');
  });

  it('runs the service with its other command, which writes to /data alone', async () => {
    const port = String(await unusedPort());
    const before = filesOf(image.workdir);
    const child = start(
      {
        PORT: port,
        DATABASE_URL: `sqlite:${join(image.root, 'data/service.db')}`,
        SERVICE_API_KEYS: 'key-of-the-container:acme',
        PROMETHEUS_URL: 'http://127.0.0.1:1',
      },
      serviceCommand,
    );
    const ended = outcome(child);
    await answering(`http://127.0.0.1:${port}/healthz`, ended);
    const health = await outcome(start({ PORT: port }, image.healthcheck));
    child.kill('SIGTERM');
    expect(health).toEqual({ code: 0, stdout: '', stderr: '' });
    const unreachable = /^Prometheus at http:\/\/127\.0\.0\.1:1 could not be reached[^\n]*\n$/u;
    expect(await ended).toMatchObject({ code: 0, stderr: expect.stringMatching(unreachable) });
    expect(filesOf(image.workdir)).toEqual(before);
    expect(readdirSync(join(image.root, 'data'))).toContain('service.db');
  });

  it('is not healthy where nothing answers', async () => {
    const health = await outcome(start({ PORT: String(await unusedPort()) }, image.healthcheck));
    expect(health.code).toBe(1);
  });
});

/** Compiled code aside: who runs the tests may write where the image's user may not. */
function filesOf(folder: string): string[] {
  return filesBelow(folder, (path) => !path.startsWith('.compiled/'));
}

/** Waits until the address answers; fails with the process's output where that ends first. */
async function answering(url: string, ended: Promise<{ stdout: string; stderr: string }>): Promise<void> {
  let output: string | undefined;
  void ended.then(({ stdout, stderr }) => {
    output = `${stdout}${stderr}`;
  });
  while (output === undefined) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  throw new Error(`It ended before it answered:\n${output}`);
}
