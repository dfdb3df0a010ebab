import { describe, expect, it, onTestFinished } from 'vitest';
import { createBudget, UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createTempoSource } from '../../../../src/service/telemetry/tempo.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { Refusal, type Route, type SourceCall, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };

/** An OTLP trace as Tempo writes it: the press calls the bindery, which fails. */
function traceAt(at: number) {
  const resource = (service: string, span: object) => ({
    resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
    scopeSpans: [{ scope: {}, spans: [span] }],
  });
  const times = (from: number, ms: number) => ({
    startTimeUnixNano: `${from}000000`,
    endTimeUnixNano: `${from + ms}000000`,
  });
  return {
    resourceSpans: [
      resource('press', { spanId: 'a', name: 'GET /print', ...times(at, 50), status: {} }),
      resource('bindery', {
        spanId: 'b',
        parentSpanId: 'a',
        name: 'bind',
        ...times(at + 10, 30),
        status: { code: 'STATUS_CODE_ERROR' },
        events: [
          {
            name: 'exception',
            attributes: [{ key: 'exception.message', value: { stringValue: 'out of thread' } }],
          },
        ],
      }),
    ],
  };
}

const search = (answer: (call: SourceCall) => unknown): Route => ({
  parameters: ['q', 'start', 'end', 'limit'],
  answer,
});
const trace: Route = { answer: () => ({ trace: traceAt(NOON - 60_000) }) };

async function tempoWith(routes: Readonly<Record<string, Route>>) {
  const { url, calls } = await scriptedSource(routes);
  const source = createTempoSource({ url }, { clock: manualClock() });
  onTestFinished(() => source.close());
  return { source, calls };
}

const SPANS = [
  {
    traceId: 't1',
    spanId: 'a',
    parentSpanId: null,
    service: 'press',
    operation: 'GET /print',
    at: NOON - 60_000,
    durationMs: 50,
    failed: false,
    message: null,
  },
  {
    traceId: 't1',
    spanId: 'b',
    parentSpanId: 'a',
    service: 'bindery',
    operation: 'bind',
    at: NOON - 59_990,
    durationMs: 30,
    failed: true,
    message: 'out of thread',
  },
];

const SHOWN = SPANS.map((span) => ({ ...span, shown: { query: 't1', url: null } }));

describe('Tempo', () => {
  it('reads failed traces, the slowest of late, and some from before, each once', async () => {
    const { source, calls } = await tempoWith({
      '/api/search': search(() => ({ traces: [{ traceID: 't1', durationMs: 50 }] })),
      '/api/v2/traces/*': trace,
    });
    expect(await answerOf(source.spans('press', WINDOW, UNLIMITED))).toEqual(SHOWN);
    const searches = calls.filter(({ path }) => path === '/api/search').map(({ parameters }) => parameters.q);
    expect(searches.sort()).toEqual([
      '{ resource.service.name = "press" && status = error }',
      '{ resource.service.name = "press" }',
      '{ resource.service.name = "press" }',
    ]);
    expect(calls.filter(({ path }) => path.startsWith('/api/v2/traces/'))).toHaveLength(1);
  });

  it('reads at most 16 traces of the three searches', async () => {
    let listed = 0;
    const { source, calls } = await tempoWith({
      '/api/search': search(() => ({
        traces: Array.from({ length: 20 }, () => ({ traceID: `t${listed++}`, durationMs: listed })),
      })),
      '/api/v2/traces/*': trace,
    });
    await answerOf(source.spans('press', WINDOW, UNLIMITED));
    expect(calls.filter(({ path }) => path.startsWith('/api/v2/traces/'))).toHaveLength(16);
  });

  it('takes the caller of a span for the caller of its service', async () => {
    const { source } = await tempoWith({
      '/api/search': search(() => ({ traces: [{ traceID: 't1' }] })),
      '/api/v2/traces/t1': { answer: () => ({ batches: traceAt(NOON - 60_000).resourceSpans }) },
    });
    expect(await answerOf(source.edges(WINDOW, UNLIMITED))).toEqual([{ caller: 'press', callee: 'bindery' }]);
  });

  it('shows nothing that ended after the window', async () => {
    const { source } = await tempoWith({
      '/api/search': search(() => ({ traces: [{ traceID: 't1' }] })),
      '/api/v2/traces/t1': { answer: () => ({ trace: traceAt(NOON - 45) }) },
    });
    const spans = await answerOf(source.spans('press', WINDOW, UNLIMITED));
    expect(spans.map(({ spanId }) => spanId)).toEqual(['b']);
  });

  it('lists services, and says how many have traces', async () => {
    const { source } = await tempoWith({
      '/api/v2/search/tag/resource.service.name/values': {
        parameters: ['start', 'end'],
        answer: () => ({ tagValues: [{ type: 'string', value: 'press' }] }),
      },
    });
    expect((await answerOf(source.services(WINDOW, UNLIMITED))).map(({ name }) => name)).toEqual(['press']);
    expect(await source.check(UNLIMITED)).toMatchObject({
      ok: true,
      summary: expect.stringMatching(/1 services/u),
    });
  });

  it('says what is missing where one search fails, and the rest goes on', async () => {
    const { source } = await tempoWith({
      '/api/search': search(({ parameters }) =>
        parameters.q?.includes('status') ? new Refusal(503) : { traces: [{ traceID: 't1' }] },
      ),
      '/api/v2/traces/t1': trace,
    });
    expect(await source.spans('press', WINDOW, UNLIMITED)).toEqual({
      known: true,
      value: SHOWN,
      caveats: [expect.stringMatching(/Tempo at .* is overloaded \(503\)/u)],
    });
  });

  it('is not known where nothing can be read', async () => {
    const { source } = await tempoWith({});
    const budget = createBudget({ requests: 10, ms: 60_000 }, { clock: manualClock() });
    const reason = expect.stringMatching(/Tempo at .* has no API at this address \(404\): check TEMPO_URL/u);
    expect(await source.spans('press', WINDOW, budget)).toEqual({ known: false, reason });
    expect(await source.edges(WINDOW, budget)).toEqual({ known: false, reason });
    budget.end();
  });
});
