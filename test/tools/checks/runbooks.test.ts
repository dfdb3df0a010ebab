import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkRunbooks } from '../../../src/tools/checks/runbooks.ts';
import { unusedAddress } from '../../support/scripted-service.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-runbooks-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const check = (path: string, runbookHosts: string[] = []) =>
  checkRunbooks({ runbookSource: { kind: 'folder', path }, runbookHosts });

it('says nothing where no runbooks are configured', async () => {
  expect(await checkRunbooks({ runbookSource: null, runbookHosts: [] })).toEqual([]);
});

it('says how many pages there are, and which of them have no steps', async () => {
  writeFileSync(join(folder, 'payments.md'), '1. Look');
  writeFileSync(join(folder, 'orders.md'), 'Call somebody.');
  expect(await check(folder)).toEqual([
    {
      name: `runbooks (${folder})`,
      ok: true,
      detail: '2 pages',
      fix: null,
      notes: ['orders.md has no steps: a numbered list'],
    },
  ]);
});

it('names each page that cannot be read with its line', async () => {
  writeFileSync(join(folder, 'payments.md'), '---\nservice: 7\n---\n1. Look');
  expect(await check(folder)).toMatchObject([
    {
      ok: false,
      detail: '1 problem',
      notes: ['payments.md, line 2: service is neither a text nor a list of texts'],
    },
  ]);
});

it('says that there are none, or no folder, and what to do', async () => {
  mkdirSync(join(folder, 'empty'));
  expect(await check(join(folder, 'empty'))).toMatchObject([
    { ok: false, detail: 'there is no Markdown file', fix: 'add a page for each alert, or check RUNBOOKS' },
  ]);
  expect(await check(join(folder, 'missing'))).toMatchObject([
    {
      ok: false,
      detail: expect.stringContaining('cannot be read (ENOENT)'),
      fix: 'correct RUNBOOKS, or its permissions',
    },
  ]);
});

it('asks each host that runbooks may be fetched from', async () => {
  const { host } = new URL(await unusedAddress());
  writeFileSync(join(folder, 'payments.md'), '1. Look');
  const [, ofHost] = await check(folder, [host]);
  expect(ofHost).toMatchObject({ name: `runbooks at ${host}`, ok: false });
});
