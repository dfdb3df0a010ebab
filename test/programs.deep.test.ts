import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../src/bot/store/open.ts';
import { systemClock } from '../src/lib/clock.ts';
import { ISSUE } from './service/support.ts';
import { type Child, startChild, untilPrinted } from './support/child.ts';
import { projectRoot } from './support/files.ts';
import { type Surroundings, startSurroundings } from './support/program.ts';
import { runTool } from './support/run-tool.ts';

/** What the programs say is tested where they are called; here, that each reads its own words and ends with its code. */
const folder = mkdtempSync(join(tmpdir(), 'gumshoe-programs-'));
const DATABASE_URL = `sqlite:${folder}/gumshoe.db`;

beforeAll(async () => {
  const store = await openStore({ file: `${folder}/gumshoe.db`, clock: systemClock });
  await store.audit.add({ at: Date.UTC(2026, 10, 1), who: 'U1', what: 'paused filing', issueId: null });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function started(file: string, env: Record<string, string>): Child {
  const child = startChild(file, env);
  onTestFinished(async () => {
    child.process.kill('SIGKILL');
    await child.ended;
  });
  return child;
}

describe('a tool', () => {
  it.each<[tool: string, words: string[], stdout: RegExp]>([
    ['doctor', [], /^✓ configuration: .*\n✓ database: .*\n(✓ .*\n)+$/u],
    ['audit-export', ['--since', '2026-11-01'], /^\{"at":.*"what":"paused filing".*\}\n$/u],
    ['backup', [join(folder, 'copy.db')], /^copied .*gumshoe\.db to .*copy\.db\n$/u],
    [
      'explain',
      [join(projectRoot, 'test/bot/alerts/formats/fixtures/datadog/datadog-nodata.json')],
      /^\{"file":.*"format":"datadog".*\}\n$/u,
    ],
    ['rca', [join(projectRoot, 'test/fixtures/rca/declined-payments')], /^\{"case":"incident".*\}\n$/u],
  ])('%s ends with 0, and prints what it is for', async (tool, words, stdout) => {
    expect(await runTool(`src/tools/${tool}.ts`, words, { DATABASE_URL })).toEqual({
      code: 0,
      stdout: expect.stringMatching(stdout),
      stderr: '',
    });
  });

  it.each<[tool: string, code: number, stderr: RegExp]>([
    ['doctor', 2, /usage: npm run doctor/u],
    ['audit-export', 2, /^usage: npm run -s audit-export/u],
    ['backup', 1, /^Name the backup file/u],
    ['explain', 1, /usage: npm run -s explain/u],
    ['rca', 2, /^usage: npm run -s rca/u],
    ['move', 2, /^usage: npm run move/u],
  ])('%s refuses what it does not know with %i', async (tool, code, stderr) => {
    expect(await runTool(`src/tools/${tool}.ts`, ['--nonsense'], {})).toEqual({
      code,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    });
  });
});

describe('src/main.ts', () => {
  let around: Surroundings;
  beforeAll(async () => {
    around = await startSurroundings('socket');
  });
  afterAll(() => around.close());

  it('waits for another process on its database, says so, and takes over when a signal stops that', async () => {
    const running = /"url":"(http:[^"]+)","msg":"Gumshoe is running"/u;
    const env = { ...around.env, LOG_LEVEL: 'debug' };
    const first = started('src/main.ts', env);
    await untilPrinted(first, running);
    const second = started('src/main.ts', env);
    await untilPrinted(second, /another process has the database locked; waiting for it to stop/u);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const [, url = ''] = await untilPrinted(second, running);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    second.process.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });

  it('ends with 1 and a sentence where nothing is configured', async () => {
    expect(await runTool('src/main.ts', [], {})).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^This command embeds nothing: .*\n$/u),
    });
  });
});

describe('src/service.ts', () => {
  async function startService(file: string) {
    const child = started('src/service.ts', { PORT: '0', DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'warn' });
    const [, url = '', key = ''] = await untilPrinted(child, /listening at (\S+)\nAPI key: (\S+)/u);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const ask = async (path: string, init: RequestInit = {}): Promise<unknown> =>
      (await fetch(`${url}${path}`, { ...init, headers })).json();
    return { child, ask };
  }

  it('has after a crash what it had before, goes on with it, and ends with 0 on a signal', async () => {
    const file = join(folder, 'service.db');
    const crashed = await startService(file);
    const issue = await crashed.ask('/issues', { method: 'POST', body: JSON.stringify(ISSUE) });
    expect(issue).toMatchObject({ number: 1 });
    crashed.child.process.kill('SIGKILL');
    await crashed.child.ended;
    const { child, ask } = await startService(file);
    const found = () => ask('/issues/by_number/1');
    await expect
      .poll(found)
      .toMatchObject({ ...ISSUE, status: 'ready_to_fix', versions: [{ version: 1, status: 'SUCCESS' }] });
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  });

  it('ends with 1 and a sentence where its settings are wrong', async () => {
    expect(await runTool('src/service.ts', [], { PORT: 'x' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'PORT must be a whole number from 0 to 65535; for example PORT=4010\n',
    });
  });
});
