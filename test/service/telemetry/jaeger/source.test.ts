import { describe, expect, it, onTestFinished } from 'vitest';
import { UNLIMITED } from '../../../../src/service/telemetry/budget.ts';
import { createJaegerSource } from '../../../../src/service/telemetry/jaeger.ts';
import { Refusal, type Route, scriptedSource } from '../../../support/scripted-source.ts';
import { answerOf } from '../../../support/telemetry.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const WINDOW = { from: NOON - 3_600_000, to: NOON };

const TRACE = {
  traceID: 't1',
  spans: [
    {
      traceID: 't1',
      spanID: 'a',
      operationName: 'GET /print',
      references: [],
      startTime: (NOON - 60_000) * 1000,
      duration: 50_000,
      tags: [{ key: 'http.status_code', type: 'int64', value: 200 }],
      logs: [],
      processID: 'p1',
    },
    {
      traceID: 't1',
      spanID: 'b',
      operationName: 'bind',
      references: [{ refType: 'CHILD_OF', traceID: 't1', spanID: 'a' }],
      startTime: (NOON - 59_990) * 1000,
      duration: 30_500,
      tags: [{ key: 'error', type: 'bool', value: true }],
      logs: [{ timestamp: 1, fields: [{ key: 'message', type: 'string', value: 'out of thread' }] }],
      processID: 'p2',
    },
    {
      traceID: 't1',
      spanID: 'c',
      operationName: 'later than the window',
      references: null,
      startTime: NOON * 1000,
      duration: 1,
      processID: 'p2',
    },
  ],
  processes: { p1: { serviceName: 'press', tags: [] }, p2: { serviceName: 'bindery' } },
  warnings: null,
};
const traces: Route = {
  parameters: ['service', 'start', 'end', 'limit', 'tags'],
  answer: () => ({ data: [TRACE], total: 0, errors: null }),
};
const services: Route = { answer: () => ({ data: ['press', 'bindery'] }) };

async function jaegerWith(routes: Readonly<Record<string, Route>>) {
  const { url, calls } = await scriptedSource(routes);
  const source = createJaegerSource({ url: `${url}/` });
  onTestFinished(() => source.close());
  return { source, calls };
}

describe('Jaeger', () => {
  it('reads failed traces, the newest and some from before, and each span once', async () => {
    const { source, calls } = await jaegerWith({ '/api/traces': traces });
    const spans = await answerOf(source.spans('press', WINDOW, UNLIMITED));
    const shown = { query: 't1', url: null };
    expect(spans).toEqual([
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
        shown,
      },
      {
        traceId: 't1',
        spanId: 'b',
        parentSpanId: 'a',
        service: 'bindery',
        operation: 'bind',
        at: NOON - 59_990,
        durationMs: 30.5,
        failed: true,
        message: 'out of thread',
        shown,
      },
    ]);
    expect(calls.map(({ parameters }) => parameters.tags)).toContain('{"error":"true"}');
    expect(calls.every(({ parameters }) => Number(parameters.end) <= NOON * 1000)).toBe(true);
  });

  it('asks for each service where all are wanted', async () => {
    const { source, calls } = await jaegerWith({ '/api/services': services, '/api/traces': traces });
    await answerOf(source.spans(null, WINDOW, UNLIMITED));
    expect(calls.map(({ parameters }) => parameters.service)).toEqual([undefined, 'press', 'bindery']);
  });

  it('has the dependencies that Jaeger computes', async () => {
    const { source, calls } = await jaegerWith({
      '/api/dependencies': {
        parameters: ['endTs', 'lookback'],
        answer: () => ({ data: [{ parent: 'press', child: 'bindery', callCount: 3 }] }),
      },
    });
    expect(await answerOf(source.edges(WINDOW, UNLIMITED))).toEqual([{ caller: 'press', callee: 'bindery' }]);
    expect(calls[0]?.parameters).toEqual({ endTs: String(NOON), lookback: '3600000' });
  });

  it('says what is wrong', async () => {
    const { source } = await jaegerWith({ '/api/services': { answer: () => new Refusal(403) } });
    const summary = expect.stringMatching(
      /Jaeger at .* refused the credentials \(403\): check JAEGER_TOKEN/u,
    );
    expect(await source.check(UNLIMITED)).toEqual({ name: 'jaeger', ok: false, summary, details: [] });
    expect(await source.spans(null, WINDOW, UNLIMITED)).toEqual({ known: false, reason: summary });
  });
});
