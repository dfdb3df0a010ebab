import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../support/postgres/exit-code.ts', import.meta.url));

it.each([0, 3])('a run that started PostgreSQL ends with its own exit code, %i', async (code) => {
  const child = spawn(process.execPath, [PROGRAM, String(code)], { stdio: 'ignore' });
  const [ended] = await once(child, 'exit');
  expect(ended).toBe(code);
});
