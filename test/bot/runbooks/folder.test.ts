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

it('has a page once, however many links lead to it, and goes round no circle', async () => {
  writeFileSync(join(folder, 'pool.md'), '1. Look');
  symlinkSync('pool.md', join(folder, 'same.md'));
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) symlinkSync('.', join(folder, name));
  mkdirSync(join(folder, 'payments'));
  symlinkSync('..', join(folder, 'payments', 'up'));
  writeFileSync(join(folder, 'payments', 'disk.md'), '1. Delete');
  expect(await folderSource(folder).read()).toEqual({
    pages: [
      { path: 'payments/disk.md', url: null, text: '1. Delete' },
      { path: 'pool.md', url: null, text: '1. Look' },
    ],
    problems: [],
  });
});

it('reads a ConfigMap as Kubernetes mounts it, and follows no link out of the folder or to what is hidden', async () => {
  const mounted = '..2026_03_17_12_00_00.1';
  mkdirSync(join(folder, 'mount', mounted), { recursive: true });
  writeFileSync(join(folder, 'mount', mounted, 'pool.md'), '1. Look');
  symlinkSync(mounted, join(folder, 'mount', '..data'));
  symlinkSync(join('..data', 'pool.md'), join(folder, 'mount', 'pool.md'));
  writeFileSync(join(folder, 'outside.md'), 'a secret');
  symlinkSync(join('..', 'outside.md'), join(folder, 'mount', 'outside.md'));
  symlinkSync('/etc', join(folder, 'mount', 'etc'));
  mkdirSync(join(folder, 'mount', '.git'));
  writeFileSync(join(folder, 'mount', '.git', 'notes.md'), 'a secret');
  symlinkSync('.git', join(folder, 'mount', 'git'));
  expect(await folderSource(join(folder, 'mount')).read()).toEqual({
    pages: [{ path: 'pool.md', url: null, text: '1. Look' }],
    problems: [],
  });
});

it('looks at 10,000 files and folders, and says that there are more', async () => {
  for (let n = 0; n < 10_000; n += 1) writeFileSync(join(folder, `${n}.txt`), '');
  writeFileSync(join(folder, '0.md'), '1. Look');
  writeFileSync(join(folder, 'z.md'), '1. Look');
  expect(await folderSource(folder).read()).toEqual({
    pages: [{ path: '0.md', url: null, text: '1. Look' }],
    problems: ['the folder has more than 10000 files and folders: the others are not read'],
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
