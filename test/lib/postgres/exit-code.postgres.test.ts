import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../support/postgres/exit-code.ts', import.meta.url));

it('a run that started PostgreSQL and failed ends as failed', async () => {
  const child = spawn(process.execPath, [PROGRAM], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  expect(code).toBe(3);
});
