import { describe, expect, it, onTestFinished } from 'vitest';
import { createBudget, UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createLokiSource } from '../../../../src/service/telemetry/loki.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { Refusal, type Route, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };

const labels: Route = {
  parameters: ['start', 'end'],
  answer: () => ({ data: ['app', 'pod', 'service_name'] }),
};
const names: Route = { parameters: ['start', 'end'], answer: () => ({ data: ['press', 'bindery'] }) };
const stats = (entries: number): Route => ({
  parameters: ['query', 'start', 'end'],
  answer: () => ({ streams: 1, chunks: 1, entries, bytes: entries * 100 }),
});
const lines = (values: unknown[], stream: Record<string, string> = { service_name: 'press' }): Route => ({
  parameters: ['query', 'start', 'end', 'limit', 'direction'],
  answer: () => ({ status: 'success', data: { resultType: 'streams', result: [{ stream, values }] } }),
});

async function lokiWith(routes: Readonly<Record<string, Route>>) {
  const { url, calls } = await scriptedSource({
    '/loki/api/v1/labels': labels,
    '/loki/api/v1/label/service_name/values': names,
    '/loki/api/v1/label/app/values': names,
    ...routes,
  });
  const source = createLokiSource({ url, orgId: 'team-a', token: 'hush-hush' }, { clock: manualClock() });
  onTestFinished(() => source.close());
  return { source, calls, url };
}

const nano = (ms: number) => `${ms}000000`;

describe('Loki', () => {
  it('names services by the label that it derives itself', async () => {
    const { source, calls } = await lokiWith({});
    const services = await answerOf(source.services(WINDOW, UNLIMITED));
    expect(services.map(({ name }) => name)).toEqual(['press', 'bindery']);
    expect(calls.map(({ headers }) => headers['x-scope-orgid'])).toEqual(['team-a', 'team-a']);
    expect(calls[0]?.parameters).toEqual({ start: nano(WINDOW.from), end: nano(NOON) });
  });

  it('falls back to the labels that it would derive it from', async () => {
    const { source, calls } = await lokiWith({
      '/loki/api/v1/labels': { ...labels, answer: () => ({ data: ['job', 'app'] }) },
    });
    await answerOf(source.services(WINDOW, UNLIMITED));
    expect(calls.at(-1)?.path).toBe('/loki/api/v1/label/app/values');
  });

  it('leaves out lines that say they are of another cluster than the alert', async () => {
    const { source } = await lokiWith({
      '/loki/api/v1/index/stats': stats(3),
      '/loki/api/v1/query_range': lines([
        [nano(NOON - 3), 'of us', { cluster: 'us' }],
        [nano(NOON - 2), 'of eu', { cluster: 'eu' }],
        [nano(NOON - 1), 'of both', {}],
      ]),
    });
    const budget = { ...UNLIMITED };
    source.focus?.({ k8s_cluster_name: 'us', severity: 'page' }, WINDOW, budget);
    const read = await answerOf(source.logs('press', WINDOW, budget));
    expect(read.map(({ message }) => message)).toEqual(['of us', 'of both']);
  });

  it('looks before it reads, and reads all of a few lines', async () => {
    const at = NOON - 60_000;
    const { source, calls } = await lokiWith({
      '/loki/api/v1/index/stats': stats(3),
      '/loki/api/v1/query_range': lines(
        [
          [nano(at + 1), '{"level":"ERROR","msg":"ink ran out","trace_id":"abc"}'],
          [nano(at), 'plain', { structuredMetadata: { detected_level: 'warn', pod: 'press-1' } }],
          [nano(NOON), 'later than the window'],
        ],
        { service_name: 'press', detected_level: 'unknown' },
      ),
    });
    const shown = { query: '{service_name="press"}', url: null };
    expect(await answerOf(source.logs('press', WINDOW, UNLIMITED))).toEqual([
      { at, service: 'press', instance: 'press-1', level: 'warn', message: 'plain', traceId: null, shown },
      {
        at: at + 1,
        service: 'press',
        instance: null,
        level: 'error',
        message: 'ink ran out',
        traceId: 'abc',
        shown,
      },
    ]);
    expect(calls.map(({ path }) => path)).toEqual([
      '/loki/api/v1/labels',
      '/loki/api/v1/label/service_name/values',
      '/loki/api/v1/index/stats',
      '/loki/api/v1/query_range',
    ]);
    expect(calls.at(-1)?.parameters).toMatchObject({ query: '{service_name="press"}', limit: '5000' });
  });

  it('reads of many lines those that tell of failures, alike from every part of the window', async () => {
    const { source, calls } = await lokiWith({
      '/loki/api/v1/index/stats': stats(2_000_000),
      '/loki/api/v1/query_range': lines([[nano(WINDOW.from), 'error: jam']]),
    });
    await answerOf(source.logs('press', WINDOW, UNLIMITED));
    const reads = calls.filter(({ path }) => path.endsWith('query_range'));
    expect(reads).toHaveLength(8);
    expect(new Set(reads.map(({ parameters }) => parameters.limit))).toEqual(new Set(['625']));
    expect(reads[0]?.parameters.query).toMatch(/^\{service_name="press"\} \|~ "\(\?i\)\(error/u);
    const starts = reads.map(({ parameters }) => Number(parameters.start) / 1e6).sort((a, b) => a - b);
    expect(starts[0]).toBe(WINDOW.from);
    expect(starts[1]).toBe(WINDOW.from + 450_000);
  });

  it('does not ask for the lines of a service that it does not know', async () => {
    const { source, calls } = await lokiWith({});
    expect(await answerOf(source.logs('elsewhere', WINDOW, UNLIMITED))).toEqual([]);
    expect(calls).toHaveLength(2);
  });

  it.each([
    ['401', new Refusal(401), /refused the credentials \(401\): check LOKI_TOKEN/u],
    ['an overloaded server', new Refusal(503, '{"error":"too busy"}'), /overloaded \(503\): too busy/u],
    ['a login page', new Refusal(200, '<html>'), /something other than JSON.*check that LOKI_URL/u],
    ['JSON that is cut short', new Refusal(200, '{"data":["a'), /something other than JSON/u],
    ['another form', { data: 'none' }, /in a form that Loki does not have/u],
    ['streams without a service', { data: ['filename'] }, /no field that names a service/u],
  ])('%s is a sentence', async (_name, answer, sentence) => {
    const { source } = await lokiWith({ '/loki/api/v1/labels': { ...labels, answer: () => answer } });
    const given = await source.logs('press', WINDOW, UNLIMITED);
    expect(given).toEqual({ known: false, reason: expect.stringMatching(sentence) });
    expect(JSON.stringify(given)).not.toContain('hush-hush');
    expect(await source.check(UNLIMITED)).toMatchObject({
      ok: false,
      summary: expect.stringMatching(sentence),
    });
  });

  it('stops at the limit of requests', async () => {
    const { source } = await lokiWith({});
    const budget = createBudget({ requests: 1, ms: 60_000 }, { clock: manualClock() });
    expect(await source.services(WINDOW, budget)).toEqual({
      known: false,
      reason: 'The limit of 1 requests is used up.',
    });
    budget.end();
  });
});
