import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ISSUE, temporaryFolder, testService } from './service/support.ts';
import { projectRoot } from './support/files.ts';
import { runTool } from './support/run-tool.ts';

/** Starts `npm run service` on any port. */
async function startTool(file: string) {
  const child = spawn(process.execPath, ['src/service.ts'], {
    cwd: projectRoot,
    env: { PORT: '0', DATABASE_URL: `sqlite:${file}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  await expect.poll(() => output).toContain('API key');
  const [, url, key] = /listening at (\S+)\nAPI key: (\S+)/u.exec(output) ?? [];
  return {
    call: async (path: string, init: RequestInit = {}): Promise<unknown> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return (await fetch(`${url}${path}`, { ...init, headers })).json();
    },
    end: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
  };
}

it.each(['SIGTERM', 'SIGINT'] as const)('runs until %s, and ends with 0', async (signal) => {
  const tool = await startTool(join(temporaryFolder(), 'service.db'));
  expect(await tool.call('/issues')).toEqual({ object: 'list', data: [], has_more: false });
  expect(await tool.end(signal)).toEqual([0, null]);
});

it('has after a crash what it had before, and goes on with it', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const crashed = await startTool(file);
  const issue = await crashed.call('/issues', { method: 'POST', body: JSON.stringify(ISSUE) });
  await crashed.end('SIGKILL');
  const next = await startTool(file);
  const found = () => next.call('/issues/by_number/1');
  expect(issue).toMatchObject({ number: 1 });
  await expect
    .poll(found)
    .toMatchObject({ ...ISSUE, status: 'ready_to_fix', versions: [{ version: 1, status: 'SUCCESS' }] });
  expect(await next.end('SIGTERM')).toEqual([0, null]);
});

it('says in a line each what is wrong with its settings', async () => {
  const result = await runTool('src/service.ts', [], { PORT: 'x', DATABASE_URL: 'mysql:x' });
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: `PORT must be a number from 0 to 65535, such as PORT=4010 (got "x")
DATABASE_URL must point to a SQLite file, such as sqlite:./data/service.db, or to a PostgreSQL database, such as postgres://gumshoe:password@db.example.com/gumshoe_service
`,
  });
});

it('says in a sentence that the port is in use', async () => {
  const { service } = await testService();
  const { port } = new URL(service().url);
  const DATABASE_URL = `sqlite:${join(temporaryFolder(), 'service.db')}`;
  const result = await runTool('src/service.ts', [], { PORT: port, DATABASE_URL });
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${port} is in use: stop whatever is using it, or set PORT to another port.\n`,
  });
});
