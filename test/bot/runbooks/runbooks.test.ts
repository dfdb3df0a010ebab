import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRunbooks } from '../../../src/bot/runbooks/index.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gumshoe-runbooks-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const SUBJECT = { titles: ['HighErrorRate payments'], service: 'payments', cause: null };
const log = createLogger('silent');

function open(
  settings: Partial<Parameters<typeof openRunbooks>[0]>,
  fetch: typeof globalThis.fetch = async () => new Response('', { status: 404 }),
) {
  const clock = manualClock();
  const runbooks = openRunbooks(
    { runbookSource: null, runbookHosts: [], ...settings },
    { clock, log, fetch },
  );
  const titles = async (address: string | null = null) =>
    (await runbooks.about(SUBJECT, address)).map(({ title }) => title);
  return { clock, runbooks, titles };
}

const inFolder = () => ({ runbookSource: { kind: 'folder', path: folder } as const });

it('runbooks are read again after five minutes, and until they are, those of before count', async () => {
  writeFileSync(join(folder, 'payments.md'), '# Old');
  const { clock, titles } = open(inFolder());
  expect(await titles()).toEqual(['Old']);
  writeFileSync(join(folder, 'payments.md'), '# New');
  expect(await titles()).toEqual(['Old']);
  clock.advance(5 * 60_000);
  await titles();
  await until('it is read again', async () => (await titles())[0] === 'New');
});

it('where they cannot be read that is a problem until they can', async () => {
  const missing = join(folder, 'missing');
  const { clock, runbooks, titles } = open({ runbookSource: { kind: 'folder', path: missing } });
  expect(await titles()).toEqual([]);
  expect(runbooks.problem()).toBe(
    `the runbooks cannot be read: the folder ${missing} cannot be read (ENOENT): correct RUNBOOKS, or its permissions.`,
  );
  mkdirSync(missing);
  writeFileSync(join(missing, 'payments.md'), '# Here');
  clock.advance(5 * 60_000);
  expect(await titles()).toEqual(['Here']);
  expect(runbooks.problem()).toBeNull();
});

it('the page that the alert links to comes first, if its host is one to fetch from, and is fetched once', async () => {
  const asked: string[] = [];
  writeFileSync(join(folder, 'payments.md'), '# Payments');
  const { titles } = open({ ...inFolder(), runbookHosts: ['wiki.example'] }, async (input) => {
    asked.push(String(input));
    return new Response('# The wiki’s');
  });
  expect(await titles('https://wiki.example/errors.md')).toEqual(['The wiki’s', 'Payments']);
  await titles('https://wiki.example/errors.md');
  expect(await titles('https://elsewhere.example/errors.md')).toEqual(['Payments']);
  expect(asked).toEqual(['https://wiki.example/errors.md']);
});

it('a page of the repository that the alert links to needs no other match, and nothing is fetched from the web', async () => {
  const asked: string[] = [];
  const repository = {
    host: 'github',
    api: 'https://api.github.com',
    web: 'https://github.com',
    name: 'acme/runbooks',
    ref: 'HEAD',
    folder: '',
  } as const;
  const { titles } = open(
    { runbookSource: { kind: 'repository', repository, token: null } },
    async (input) => {
      asked.push(new URL(String(input)).host);
      return Response.json(
        String(input).includes('/trees/')
          ? { tree: [{ path: 'a/pool.md', type: 'blob', sha: '1' }] }
          : { content: Buffer.from('# Pool').toString('base64') },
      );
    },
  );
  expect(await titles()).toEqual([]);
  expect(await titles('https://github.com/acme/runbooks/blob/main/a/pool.md#diagnose')).toEqual(['Pool']);
  expect(new Set(asked)).toEqual(new Set(['api.github.com']));
});
