import { describe, expect, it, onTestFinished } from 'vitest';
import { createBudget, UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import { createElasticsearchSource } from '../../../src/service/telemetry/elasticsearch.ts';
import { createLokiSource } from '../../../src/service/telemetry/loki.ts';
import { type LogLine, mapped } from '../../../src/service/telemetry/model.ts';
import type { OpenSource } from '../../../src/service/telemetry/source.ts';
import { createVictoriaLogsSource } from '../../../src/service/telemetry/victorialogs.ts';
import { elasticsearchServer, lokiServer, victoriaLogsServer } from '../../support/log-servers.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { Dated, Refusal, type Route, scriptedSource } from '../../support/scripted-source.ts';
import { answerOf } from '../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };
const clock = manualClock(NOON);

const plain = ({ shown: _, ...line }: LogLine) => line;

interface Kind {
  server: (lines: readonly LogLine[]) => Readonly<Record<string, Route>>;
  open: (url: string) => OpenSource;
  /** Where lines are read. */
  lines: string;
  /** What it is called. */
  says: string;
}

const ELASTICSEARCH: Kind = {
  server: (lines) => elasticsearchServer(lines),
  open: (url) => createElasticsearchSource({ url, index: 'logs-*' }, { clock }),
  lines: '/_msearch',
  says: 'Elasticsearch',
};
const KINDS: Readonly<Record<string, Kind>> = {
  Loki: {
    server: lokiServer,
    open: (url) => createLokiSource({ url }, { clock }),
    lines: '/loki/api/v1/query_range',
    says: 'Loki',
  },
  VictoriaLogs: {
    server: victoriaLogsServer,
    open: (url) => createVictoriaLogsSource({ url }, { clock }),
    lines: '/select/logsql/query',
    says: 'VictoriaLogs',
  },
  Elasticsearch: ELASTICSEARCH,
  OpenSearch: {
    ...ELASTICSEARCH,
    server: (lines) =>
      elasticsearchServer(lines, { version: { number: '3.3.0', distribution: 'opensearch' } }),
  },
};

const line = (at: number, message: string, more: Partial<LogLine> = {}): LogLine => ({
  at,
  service: 'press',
  instance: 'press-7d9f8b6c5d-x2x4z',
  level: 'error',
  message,
  traceId: null,
  ...more,
});
const LINES = [
  line(WINDOW.from - 1, 'before the window'),
  line(NOON - 60_000, 'ink ran out', { traceId: 'abc' }),
  line(NOON - 50_000, 'a "quoted" \\ line — ü', { level: 'warn', instance: null }),
  line(NOON - 40_000, 'glue ran out', { service: 'bind "ery"' }),
  line(NOON, 'after the window'),
];

async function opened(kind: Kind, lines: readonly LogLine[], change: Readonly<Record<string, Route>> = {}) {
  const { url, calls } = await scriptedSource({ ...kind.server(lines), ...change });
  const source = kind.open(url);
  onTestFinished(() => source.close());
  return { source, calls, url };
}

describe.each(Object.entries(KINDS))('logs of %s', (_name, kind) => {
  it('are the lines of a service, or of all, within the window', async () => {
    const { source } = await opened(kind, LINES);
    const services = await answerOf(source.services(WINDOW, UNLIMITED));
    expect(services.map(({ name }) => name).sort()).toEqual(['bind "ery"', 'press']);
    const linesOf = async (service: string | null) =>
      (await answerOf(source.logs(service, WINDOW, UNLIMITED))).map(plain);
    expect(await linesOf('press')).toEqual([LINES[1], LINES[2]]);
    expect(await linesOf('bind "ery"')).toEqual([LINES[3]]);
    expect(await linesOf(null)).toEqual([LINES[1], LINES[2], LINES[3]]);
    expect(await linesOf('elsewhere')).toEqual([]);
    expect(await source.check(UNLIMITED)).toMatchObject({
      ok: true,
      summary: expect.stringContaining('2 services'),
    });
  });

  it('are, where there are many, those about failures, alike from all parts of the window', async () => {
    const many = Array.from({ length: 6_000 }, (_, i) =>
      line(WINDOW.from + i * 600, i % 3 === 0 ? `job ${i} failed` : `job ${i}`, { level: 'info' }),
    );
    const { source } = await opened(kind, many);
    const answer = mapped(await source.logs('press', WINDOW, UNLIMITED), (all) => all.map(plain));
    expect(answer).toEqual({ known: true, value: many.filter((_, i) => i % 3 === 0), caveats: [] });
  });

  it('of an empty store are none, and that is said', async () => {
    const { source } = await opened(kind, []);
    const answer = await source.logs('press', WINDOW, UNLIMITED);
    expect(answer).toMatchObject({ known: true, value: [] });
    expect(answer.known && answer.caveats.join()).toMatch(/holds no lines of this time/u);
  });

  it.each([
    ['refused', new Refusal(401), /refused the credentials \(401\)/u],
    [
      'slow',
      new Refusal(504, '{"error":"timed out"}'),
      /gave up on a query, or is overloaded \(504\): timed out/u,
    ],
    ['cut short', new Refusal(200, '{"data":{"result":[{"a'), /something other than JSON, or cut it short/u],
    ['a login page', new Refusal(200, '<html>'), /something other than JSON/u],
    ['of another form', { data: 7, responses: 7 }, /in a form that .* does not have/u],
    ['a redirect', new Refusal(302), /redirects elsewhere/u],
  ])('that are %s are unknown, with the reason', async (_how, answer, sentence) => {
    const { source } = await opened(kind, LINES, {
      [kind.lines]: { ...kind.server(LINES)[kind.lines], answer: () => answer },
    });
    const given = await source.logs('press', WINDOW, UNLIMITED);
    expect(given).toEqual({ known: false, reason: expect.stringMatching(sentence) });
    expect(JSON.stringify(given)).toContain(kind.says);
  });

  it('are cut, and that is said, where they are longer than can be read', async () => {
    const long = Array.from({ length: 4_500 }, (_, i) => line(WINDOW.from + i, `${i} ${'x'.repeat(4_000)}`));
    const { source } = await opened(kind, long);
    const given = await source.logs('press', WINDOW, UNLIMITED);
    expect(JSON.stringify(given).slice(-500)).toContain(
      'answered with more than 16 MiB; the rest was not read.',
    );
  });

  it('say that another clock is off', async () => {
    const date = new Date(NOON + 7 * 60_000).toUTCString();
    const { source, url } = await opened(kind, LINES, {
      [kind.lines]: {
        method: 'GET',
        ...kind.server(LINES)[kind.lines],
        answer: (call) => new Dated(date, kind.server(LINES)[kind.lines]?.answer(call)),
      },
    });
    const given = await source.logs('press', WINDOW, UNLIMITED);
    expect(given).toMatchObject({
      known: true,
      caveats: [
        `The clock of ${kind.says} at ${url} is 7 min ahead of ours, so times may be off by that much.`,
      ],
    });
  });

  it('stop at the budget of requests, and of samples', async () => {
    const { source } = await opened(kind, LINES);
    const few = createBudget({ requests: 2, ms: 60_000 }, { clock });
    expect(await source.logs('press', WINDOW, few)).toMatchObject({ known: false });
    few.end();
    const small = createBudget({ requests: 20, ms: 60_000, samples: 1 }, { clock });
    expect(await source.logs('press', WINDOW, small)).toEqual({
      known: false,
      reason: 'More log lines than an investigation may read: some are missing.',
    });
    small.end();
  });

  it('end with a cancelled investigation', async () => {
    const { source, calls } = await opened(kind, LINES);
    const stop = new AbortController();
    const budget = createBudget({ requests: 20, ms: 60_000 }, { clock, stop: stop.signal });
    stop.abort();
    expect(await source.logs('press', WINDOW, budget)).toMatchObject({ known: false });
    expect(calls).toEqual([]);
    budget.end();
  });
});

describe('Elasticsearch', () => {
  it('says which shards failed', async () => {
    const { url } = await scriptedSource(elasticsearchServer(LINES, { failedShards: 2 }));
    const source = createElasticsearchSource({ url, index: 'logs-*' }, { clock });
    onTestFinished(() => source.close());
    expect(await source.logs('press', WINDOW, UNLIMITED)).toEqual({
      known: true,
      value: [LINES[1], LINES[2]],
      caveats: ['2 of 5 shards of Elasticsearch failed (node left): some lines are missing.'],
    });
  });

  it.each([
    ['a key', { token: 'hush', scheme: 'ApiKey' as const }, 'ApiKey hush'],
    [
      'a user',
      { user: 'reader', password: 'hush' },
      `Basic ${Buffer.from('reader:hush').toString('base64')}`,
    ],
    ['nothing', {}, undefined],
  ])('is asked with %s', async (_name, credentials, header) => {
    const { url, calls } = await scriptedSource(elasticsearchServer(LINES));
    const source = createElasticsearchSource({ url, index: 'logs-*', ...credentials }, { clock });
    onTestFinished(() => source.close());
    await answerOf(source.logs('press', WINDOW, UNLIMITED));
    expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(new Set([header]));
  });

  it('says what a search failed for, and that no index has logs', async () => {
    const failing: Route = {
      method: 'POST',
      answer: () => ({
        responses: [
          { error: { type: 'search_phase_execution_exception', reason: 'all shards failed' }, status: 503 },
        ],
      }),
    };
    const { url } = await scriptedSource({ ...elasticsearchServer(LINES), '/_msearch': failing });
    const source = createElasticsearchSource({ url, index: 'logs-*' }, { clock });
    onTestFinished(() => source.close());
    expect(await source.logs('press', WINDOW, UNLIMITED)).toEqual({
      known: false,
      reason: `Elasticsearch at ${url} could not search (search_phase_execution_exception): all shards failed`,
    });
    const { source: empty } = await opened(ELASTICSEARCH, []);
    expect((await empty.check(UNLIMITED)).details.join()).toMatch(
      /No index matches logs-\*.*set ELASTICSEARCH_INDEX/u,
    );
  });
});
