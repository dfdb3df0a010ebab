import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder, testService } from '../sandbox/service/support.ts';
import { projectRoot } from '../support/files.ts';
import { runTool } from '../support/run-tool.ts';

it.each(['SIGTERM', 'SIGINT'] as const)('runs until %s, and ends with 0', async (signal) => {
  const DATABASE_URL = `sqlite:${join(temporaryFolder(), 'service.db')}`;
  const child = spawn(process.execPath, ['src/tools/service.ts'], {
    cwd: projectRoot,
    env: { PORT: '0', DATABASE_URL },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  await expect.poll(() => output, { timeout: 20_000 }).toContain('API key');
  const [, url, key] = /answers at (\S+)\nAPI key: (\S+)/u.exec(output) ?? [];
  const answer = await fetch(`${url}/issues`, { headers: { authorization: `Bearer ${key}` } });
  expect(await answer.json()).toEqual({ object: 'list', data: [], has_more: false });
  child.kill(signal);
  expect(await ended).toEqual([0, null]);
});

it('says in a line each what is wrong with its settings', async () => {
  const result = await runTool('service', [], { PORT: 'x', DATABASE_URL: 'mysql:x' });
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: `PORT must be a number from 0 to 65535, for example PORT=4010 (it is "x")
DATABASE_URL must name a SQLite file, for example sqlite:./data/service.db
`,
  });
});

it('says in a sentence that the port is in use', async () => {
  const { service } = await testService();
  const { port } = new URL(service().url);
  const DATABASE_URL = `sqlite:${join(temporaryFolder(), 'service.db')}`;
  const result = await runTool('service', [], { PORT: port, DATABASE_URL });
  expect(result).toEqual({
    code: 1,
    stdout: '',
    stderr: `Port ${port} is in use: stop what uses it, or set PORT to another.\n`,
  });
});
