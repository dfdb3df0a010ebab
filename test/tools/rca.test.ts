import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rca, type Verdict, verdicts } from '../../src/tools/rca.ts';
import { benchRecorded } from '../bench/rca.ts';
import { broken, NOON, shop, waiting } from '../service/kubernetes/support.ts';
import { call } from '../support/call.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/rca/declined-payments');
const TRIGGER = Date.parse('2026-06-19T10:25:00Z') / 1000;

async function verdictOf(folder: string): Promise<Omit<Verdict, 'ms'>> {
  for await (const { ms: _, ...verdict } of verdicts(folder)) return verdict;
  throw new Error('a case was expected');
}

async function copy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rca-'));
  await cp(FIXTURE, folder, { recursive: true });
  return folder;
}

describe('npm run rca', () => {
  it('prints a line of JSON for each case', async () => {
    const { code, stdout, stderr } = await call(rca, [FIXTURE]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([{ ...(await verdictOf(FIXTURE)), ms: expect.any(Number) }]);
  });

  it('says what is wrong with a folder that holds no recorded system', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'rca-'));
    expect(await call(rca, [empty])).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(empty) });
  });
});

describe('npm run rca -- --kubernetes', () => {
  async function folderWith(lines: readonly unknown[]): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'rca-'));
    await writeFile(
      join(folder, 'cases.ndjson.gz'),
      gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    );
    return folder;
  }
  const faulty = broken(shop(), 'catalog', waiting('catalog', 'ImagePullBackOff', 'manifest unknown'));
  const recorded = (id: string, objects: unknown) => ({
    id,
    at: new Date(NOON).toISOString(),
    query: 'Shop is down',
    alerts: {},
    objects,
  });

  it('prints a line of JSON for each cluster', async () => {
    const folder = await folderWith([recorded('faulty', faulty), recorded('well', shop())]);
    const { code, stdout, stderr } = await call(rca, ['--kubernetes', folder]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        case: 'faulty',
        found: true,
        ranking: [{ object: 'app/catalog', cause: 'incorrect_image_reference', confidence: 0.96 }],
        ms: expect.any(Number),
      },
      { case: 'well', found: false, ranking: [], ms: expect.any(Number) },
    ]);
  });

  it.each([
    [
      'a folder without them',
      async () => mkdtemp(join(tmpdir(), 'rca-')),
      /cases\.ndjson\.gz cannot be read \(/u,
    ],
    ['a line that is no cluster', async () => folderWith([{ id: 'x' }]), /line 1 is no recorded cluster: /u],
  ])('says what is wrong with %s', async (_name, folder, sentence) => {
    expect(await call(rca, ['--kubernetes', await folder()])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    });
  });
});

describe('investigating recorded cases', () => {
  it('names the service and the change', async () => {
    const { ranking, ...verdict } = await verdictOf(FIXTURE);
    expect(verdict).toEqual({
      case: 'incident',
      found: true,
      change: '5642d6b17f39cc430c2a48ca705cbab33002d03b',
      suspects: [
        '825a71fe1414921ff28422880255b7fd9edc2ac3',
        '3dfbfbf88a865a881fa4bc90b52e9ec1876cef31',
        '767b9494a44bf94c6542f6ed9de51c38eb8732d2',
        'fd1cfc056e50e63473eae384c4c34a61d853a834',
      ],
    });
    expect(ranking[0]).toMatchObject({ service: 'paymentservice', kind: 'errors' });
  });

  it('says the same without the answers, and without what happens later', async () => {
    const folder = await copy();
    await rm(join(folder, 'answers.json'));
    await cutFuture(folder, 'metrics.csv.gz', (row) => Number(row.split(',')[0]));
    for (const file of ['logs.ndjson.gz', 'commits.ndjson.gz'])
      await cutFuture(folder, file, (row) => JSON.parse(row).time);
    expect(await verdictOf(folder)).toEqual(await verdictOf(FIXTURE));
  });

  it('is scored where answers are there', async () => {
    const table = await benchRecorded(FIXTURE);
    expect(table.split('\n')[1]).toMatch(
      /^declined-payments\s+1\s+1\.000\s+1\.000\s+1\.000\s+0\s+1\.000\s+0\.000/,
    );
    expect(table).toContain('confidence');
  });

  it('says where nothing is to be scored', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'rca-'));
    expect(await benchRecorded(empty)).toContain('holds no recorded system');
  });
});

async function cutFuture(folder: string, file: string, secondsOf: (row: string) => number): Promise<void> {
  const path = join(folder, file);
  const rows = gunzipSync(await readFile(path))
    .toString()
    .split('\n');
  const known = rows.filter((row) => row === '' || row.startsWith('time,') || secondsOf(row) <= TRIGGER);
  expect(known.length).toBeLessThan(rows.length);
  await writeFile(path, gzipSync(known.join('\n')));
}
