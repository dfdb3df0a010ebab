import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Health, healthListener, listen, notFound } from '../../../src/bot/health/server.ts';
import type { Problem } from '../../../src/bot/problems/stored.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { OperatorError } from '../../../src/lib/io.ts';

const well: Health = {
  phase: 'running',
  check: async () => undefined,
  problems: () => [],
};

const problem = (sentence: string, stopsDeliveries: boolean): Problem => ({
  name: sentence,
  since: 0,
  fixedBy: 'nobody',
  sentence,
  channel: null,
  stopsDeliveries,
});

async function serving(health: Partial<Health> = {}) {
  const metrics = createMetrics();
  const server = await listen(healthListener({ ...well, ...health }, metrics, notFound), 0, '127.0.0.1');
  onTestFinished(() => server.close());
  const get = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const json = async (path: string) => {
    const { status, text } = await get(path);
    return { status, body: JSON.parse(text) };
  };
  return { server, metrics, get, json };
}

describe('/healthz', () => {
  it('answers as long as the process does, whatever else fails', async () => {
    const { json } = await serving({
      phase: 'stopping',
      problems: () => [problem('Slack is not connected', true)],
    });
    expect(await json('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
  });
});

describe('/readyz', () => {
  it('is 200 where deliveries can be taken', async () => {
    const { json } = await serving();
    expect(await json('/readyz')).toEqual({ status: 200, body: { ready: true, reasons: [], degraded: [] } });
  });

  it.each<[string, Partial<Health>, string[]]>([
    ['while it starts', { phase: 'starting' }, ['Gumshoe is starting']],
    ['while it stops', { phase: 'stopping' }, ['Gumshoe is stopping']],
    [
      'with something that stops deliveries',
      { phase: 'starting', problems: () => [problem('Slack is not connected', true)] },
      ['Gumshoe is starting', 'Slack is not connected'],
    ],
  ])('is 503 %s', async (_when, health, reasons) => {
    const { json } = await serving(health);
    expect(await json('/readyz')).toEqual({ status: 503, body: { ready: false, reasons, degraded: [] } });
  });

  it('is 200 while the service fails, and says so', async () => {
    const degraded = ['The investigation service could not be reached.'];
    const { json } = await serving({ problems: () => degraded.map((one) => problem(one, false)) });
    expect(await json('/readyz')).toEqual({ status: 200, body: { ready: true, reasons: [], degraded } });
  });

  it('is 503 where the checks themselves fail', async () => {
    const { json } = await serving({ check: () => Promise.reject(new Error('database is closed')) });
    expect(await json('/readyz')).toEqual({
      status: 503,
      body: { ready: false, reasons: ['could not run the health checks'], degraded: [] },
    });
  });

  it('is asked the same with a query', async () => {
    const { json } = await serving();
    expect((await json('/readyz?verbose=1')).status).toBe(200);
  });
});

describe('/metrics', () => {
  it('is in Prometheus’ text format, with what we count, measure and show', async () => {
    const { get, metrics } = await serving();
    metrics.count('gumshoe_deliveries_total', { outcome: 'stored' });
    metrics.count('gumshoe_deliveries_total', { outcome: 'stored' });
    metrics.gauge('gumshoe_outbox_due', 3);
    metrics.observe('gumshoe_service_call_seconds', 0.3, { operation: 'list' });
    const { status, type, text } = await get('/metrics');
    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
    const lines = text.split('\n').filter((line) => line.startsWith('gumshoe_') && !line.includes('_bucket'));
    expect(lines).toEqual(
      expect.arrayContaining([
        'gumshoe_deliveries_total{outcome="stored"} 2',
        'gumshoe_outbox_due 3',
        'gumshoe_service_call_seconds_sum{operation="list"} 0.3',
        'gumshoe_service_call_seconds_count{operation="list"} 1',
      ]),
    );
  });

  it('names every counter of ours before anything was counted', async () => {
    const { get } = await serving();
    const { text } = await get('/metrics');
    expect(
      [...text.matchAll(/^# TYPE (gumshoe_\w+) (\w+)$/gmu)].map(([, name, type]) => `${name} ${type}`),
    ).toEqual([
      'gumshoe_deliveries_total counter',
      'gumshoe_listener_failures_total counter',
      'gumshoe_webhooks_total counter',
      'gumshoe_alertmanager_pulls_total counter',
      'gumshoe_mcp_calls_total counter',
      'gumshoe_alertmanager_silences_total counter',
      'gumshoe_received_alerts_total counter',
      'gumshoe_alerts_total counter',
      'gumshoe_service_calls_total counter',
      'gumshoe_slack_calls_total counter',
      'gumshoe_posts_total counter',
      'gumshoe_spans_lost_total counter',
      'gumshoe_polls_total counter',
      'gumshoe_service_troubles_total counter',
      'gumshoe_questions_total counter',
      'gumshoe_agent_context_reads_total counter',
      'gumshoe_backfilled_channels_total counter',
      'gumshoe_backfilled_messages_total counter',
      'gumshoe_refused_people_total counter',
      'gumshoe_socket_disconnects_total counter',
      'gumshoe_database_connections_lost_total counter',
      'gumshoe_outbox_due gauge',
      'gumshoe_leader gauge',
      'gumshoe_replicas gauge',
      'gumshoe_inbox_unfinished gauge',
      'gumshoe_slack_troubles gauge',
      'gumshoe_plans_unreadable gauge',
      'gumshoe_issues_watched gauge',
      'gumshoe_issues_pending gauge',
      'gumshoe_event_loop_lag_seconds gauge',
      'gumshoe_service_troubles gauge',
      'gumshoe_ack_seconds histogram',
      'gumshoe_service_call_seconds histogram',
      'gumshoe_poll_seconds histogram',
      'gumshoe_alert_to_card_seconds histogram',
      'gumshoe_alert_to_verdict_seconds histogram',
      'gumshoe_question_to_first_word_seconds histogram',
    ]);
  });
});

describe('the server', () => {
  it.each(['/', '/nothing', '/healthz/more', '/metrics.json'])('has nothing at %s', async (path) => {
    const { json } = await serving();
    expect(await json(path)).toEqual({ status: 404, body: { error: 'not found' } });
  });

  it('says which port is taken, and what to do', async () => {
    const { server } = await serving();
    const second = listen(notFound, server.port, '127.0.0.1');
    await expect(second).rejects.toThrow(
      `Port ${server.port} is already in use. Stop the other program, or set PORT to a free port, for example PORT=3001.`,
    );
    await expect(second).rejects.toBeInstanceOf(OperatorError);
  });

  it('says that the machine has no such address', async () => {
    await expect(listen(notFound, 0, '192.0.2.1')).rejects.toThrow(
      '192.0.2.1 is not an address of this machine. Set HOST to one that is, for example HOST=0.0.0.0.',
    );
  });

  it('tells where it is to be found', async () => {
    const { server } = await serving();
    expect(server.url).toBe(`http://localhost:${server.port}`);
  });

  it('ends although somebody keeps a connection open', async () => {
    const server = await listen(
      (_req, res) => void res.writeHead(200).write('an endless page'),
      0,
      '127.0.0.1',
    );
    const broken = new Promise<string>((resolve) => {
      const req = request({ port: server.port, host: '127.0.0.1' }, (res) => {
        res.on('data', () => undefined).on('error', (error) => resolve(error.message));
        res.on('aborted', () => resolve('aborted'));
        void server.close();
      });
      req.on('error', (error) => resolve(error.message));
      req.end();
    });
    expect(await broken).toBe('aborted');
  });
});
