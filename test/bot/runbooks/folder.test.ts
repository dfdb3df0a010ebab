import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderSource } from '../../../src/bot/runbooks/folder.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-runbooks-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('has the Markdown of a folder and of those below it, each once where Kubernetes mounts it', async () => {
  mkdirSync(join(folder, '..data'));
  writeFileSync(join(folder, '..data', 'pool.md'), '1. Look');
  symlinkSync(join('..data', 'pool.md'), join(folder, 'pool.md'));
  mkdirSync(join(folder, 'payments'));
  writeFileSync(join(folder, 'payments', 'disk.md'), '1. Delete');
  writeFileSync(join(folder, 'payments', 'script.sh'), 'rm -rf /');
  expect(await folderSource(folder).read()).toEqual({
    pages: [
      { path: 'payments/disk.md', url: null, text: '1. Delete' },
      { path: 'pool.md', url: null, text: '1. Look' },
    ],
    problems: [],
  });
});

it('leaves out a file that is too large, and says so', async () => {
  writeFileSync(join(folder, 'a.md'), 'x'.repeat(900_000));
  expect(await folderSource(folder).read()).toEqual({
    pages: [],
    problems: ['a.md: the file is larger than 800000 bytes'],
  });
});

it('that is not there says so, and what to do', async () => {
  const missing = join(folder, 'missing');
  await expect(folderSource(missing).read()).rejects.toThrow(
    `the folder ${missing} cannot be read (ENOENT): correct RUNBOOKS, or its permissions.`,
  );
});
