import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createBudget, UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import {
  readCases,
  readRecording,
  recordedSource,
} from '../../../../src/service/telemetry/recorded/recording.ts';
import type { TelemetrySource } from '../../../../src/service/telemetry/source.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { answerOf } from '../../../support/telemetry.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/rca/declined-payments');
const TRIGGER = Date.parse('2026-06-19T10:25:00Z');
const BEFORE = { from: 0, to: TRIGGER + 1 };

let source: TelemetrySource;

beforeAll(async () => {
  source = recordedSource(await readRecording(FOLDER));
});

describe('a recorded system', () => {
  it('has the services and the edges that were recorded', async () => {
    const services = await answerOf(source.services(BEFORE, UNLIMITED));
    expect(services.map(({ name, kind }) => [name, kind])).toContainEqual(['frontend', 'web']);
    expect(await answerOf(source.edges(BEFORE, UNLIMITED))).toEqual([
      { caller: 'checkoutservice', callee: 'paymentservice' },
    ]);
  });

  it('answers with the series of the signals that were asked for, in milliseconds', async () => {
    const query = { signals: ['error_rate_5xx_ratio'], services: ['paymentservice'], stepMs: 60_000 };
    const [series, ...others] = await answerOf(source.series(query, BEFORE, UNLIMITED));
    expect(others).toEqual([]);
    expect(series).toMatchObject({ service: 'paymentservice', instance: null, edge: null });
    expect(series?.signal).toMatchObject({ measure: 'errors', unit: '1', bad: 'high' });
    expect(series?.points.times.at(-1)).toBeGreaterThan(TRIGGER - 5 * 60_000);
  });

  it('tells nothing that was not known by the end of the window', async () => {
    const ids = (await answerOf(source.signals(BEFORE, UNLIMITED))).map(({ id }) => id);
    const series = await answerOf(source.series({ signals: ids, stepMs: 60_000 }, BEFORE, UNLIMITED));
    const spans = await answerOf(source.spans(null, BEFORE, UNLIMITED));
    const logs = await answerOf(source.logs(null, BEFORE, UNLIMITED));
    const changes = await answerOf(source.changes(BEFORE, UNLIMITED));
    const latest = Math.max(
      ...series.map(({ points }) => points.times.at(-1) ?? 0),
      ...spans.map(({ at, durationMs }) => at + durationMs),
      ...[...logs, ...changes].map(({ at }) => at),
    );
    expect(latest).toBeLessThanOrEqual(TRIGGER);
    const later = await answerOf(
      source.logs(null, { from: TRIGGER + 1, to: TRIGGER + 3_600_000 }, UNLIMITED),
    );
    expect(later.length).toBeGreaterThan(0);
  });

  it('has the lines of one service, or of all', async () => {
    const all = await answerOf(source.logs(null, BEFORE, UNLIMITED));
    const one = await answerOf(source.logs('paymentservice', BEFORE, UNLIMITED));
    expect(one).toEqual(all.filter(({ service }) => service === 'paymentservice'));
    expect(one.find(({ level }) => level === 'error')?.message).toContain('nil pointer dereference');
  });

  it('has commits as changes, with what they touched', async () => {
    const changes = await answerOf(source.changes(BEFORE, UNLIMITED));
    const commit = changes.find(({ kind, title }) => kind === 'commit' && title.includes('charge path'));
    expect(commit).toMatchObject({ service: null });
    expect(commit?.details).toMatch(/^services\/payment\/charge\.go\n@@/);
    expect(changes.filter(({ ref }) => ref === commit?.ref).map(({ kind }) => kind)).toEqual([
      'commit',
      'deploy',
    ]);
  });

  it('says so when the budget is used up', async () => {
    const budget = createBudget({ requests: 1, ms: 60_000 }, { clock: manualClock() });
    expect((await source.services(BEFORE, budget)).known).toBe(true);
    expect(await source.edges(BEFORE, budget)).toEqual({
      known: false,
      reason: 'The limit of 1 requests is used up.',
    });
    budget.end();
  });
});

describe('a folder that is not as it should be', () => {
  async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'recorded-'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return folder;
  }

  it('is named in the error, with the file', async () => {
    await expect(readCases(await folderWith({}))).rejects.toThrow(/cases\.json: ENOENT/);
    const broken = await folderWith({ 'cases.json': '[{"id": 4}]' });
    await expect(readCases(broken)).rejects.toThrow(/cases\.json is not as expected: 0\.id/);
    await expect(readRecording(await folderWith({ 'system.json': '{' }))).rejects.toThrow(
      /system\.json is not JSON/,
    );
  });

  it('has what it has: files that are missing are telemetry that is missing', async () => {
    const recording = await readRecording(await folderWith({ 'system.json': '{"name":"bare"}' }));
    expect(recording).toMatchObject({ name: 'bare', services: [], series: [], spans: [], changes: [] });
  });

  it('leaves out lines that are not as expected, and says how many', async () => {
    const recording = await readRecording(
      await folderWith({
        'system.json': '{"name":"odd"}',
        'logs.ndjson': '{"time":1,"service":"a","message":"fine"}\nnot json\n{"time":"?"}\n',
      }),
    );
    expect(recording.logs).toHaveLength(1);
    expect(recording.services.map(({ name }) => name)).toEqual(['a']);
    expect(recording.caveats).toEqual(['2 lines of logs.ndjson are not as expected and were left out']);
  });

  it('reads quoted cells, edges and instances', async () => {
    const recording = await readRecording(
      await folderWith({
        'system.json': '{"name":"odd","metrics":{"call_latency_p50_seconds":{"unit":"s","kind":""}}}',
        'services.csv': 'service,kind\n"a, the first",web\nb,what\n',
        'metrics.csv':
          'time,service,instance,metric,value\n60,b,to:c,call_latency_p50_seconds,0.5\n60,b,from:a,call_latency_p50_seconds,0.5\n60,b,pod-1,call_latency_p50_seconds,0.5\n',
      }),
    );
    expect(recording.services.map(({ name, kind }) => [name, kind])).toEqual([
      ['a, the first', 'web'],
      ['b', 'unknown'],
    ]);
    expect(recording.series.map(({ edge, instance }) => [edge, instance])).toEqual([
      [{ caller: 'b', callee: 'c', side: 'caller' }, null],
      [{ caller: 'a', callee: 'b', side: 'callee' }, null],
      [null, 'pod-1'],
    ]);
  });
});
