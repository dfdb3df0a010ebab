import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder } from '../../src/lib/io.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gumshoe-folder-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

it('makes every folder that is missing, and leaves what is there', () => {
  makeFolder(join(root, 'a/b/c'));
  makeFolder(join(root, 'a/b/c'));
  expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true);
});

it('ends with an error where no folder can be made', () => {
  // A folder below a file, and one where the kernel takes none: the library's own way never comes back from it.
  expect(() => makeFolder('/dev/null/gumshoe/data')).toThrow(/ENOTDIR|ENOENT|EEXIST/);
  if (existsSync('/proc')) expect(() => makeFolder('/proc/gumshoe/data')).toThrow(/ENOENT|EACCES/);
});
