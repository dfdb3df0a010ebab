import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/bot/config.ts';
import {
  checkAlertmanager,
  checkTelemetry,
  checkTickets,
  checkTracing,
  checkWebhooks,
} from '../../../src/tools/checks/connections.ts';
import { unusedAddress } from '../../support/scripted-service.ts';
import { Refusal, scriptedSource } from '../../support/scripted-source.ts';

describe('the check of telemetry', () => {
  it('says nothing where no source is configured', async () => {
    expect(await checkTelemetry({})).toEqual([]);
  });

  it('has the line with which a pipeline reports changes, at the address where they are taken', async () => {
    const notes = async (env: Record<string, string>) =>
      (await checkTelemetry({ CHANGES_TOKEN: 'a-secret-of-mine', ...env })).flatMap((one) => one.notes ?? []);
    const [own = ''] = await notes({ PORT: '3001' });
    expect(own).toContain('-X POST http://localhost:3001/changes -H "Authorization: Bearer $CHANGES_TOKEN"');
    expect(own).not.toContain('a-secret-of-mine');
    const [service = ''] = await notes({ ISSUE_SERVICE_URL: 'https://issues.example.com/api/v2' });
    expect(service).toContain('-X POST https://issues.example.com/changes ');
  });

  it('says which variable is wrong', async () => {
    expect(await checkTelemetry({ PROMETHEUS_URL: 'prometheus' })).toMatchObject([
      { ok: false, detail: expect.stringContaining('PROMETHEUS_URL must be a URL starting with http') },
    ]);
  });

  it('says that a source cannot be reached, and what to check', async () => {
    const [loki] = await checkTelemetry({ LOKI_URL: await unusedAddress() });
    expect(loki).toMatchObject({ name: 'loki', ok: false });
    expect(loki?.detail).toMatch(/could not be reached .*: check LOKI_URL, and that it is running\./u);
  });

  it('says that credentials were refused, and never what they are', async () => {
    const { url } = await scriptedSource({
      '/*': { parameters: ['start', 'end'], answer: () => new Refusal(401) },
    });
    const results = await checkTelemetry({ TEMPO_URL: url, TEMPO_TOKEN: 'a-secret-of-mine' });
    expect(results[0]).toMatchObject({ name: 'tempo', ok: false });
    expect(results[0]?.detail).toMatch(/401|TEMPO_TOKEN/u);
    expect(JSON.stringify(results)).not.toContain('a-secret-of-mine');
  });

  it('says what else could be connected, with the variable that does it', async () => {
    const results = await checkTelemetry({ LOKI_URL: await unusedAddress() });
    expect(results.at(-1)).toMatchObject({
      name: 'telemetry',
      ok: false,
      detail: 'no source answers, so nothing can be investigated',
      notes: [
        expect.stringContaining('PROMETHEUS_URL=http://prometheus:9090'),
        expect.stringContaining('TEMPO_URL'),
        expect.stringContaining('KUBERNETES'),
        expect.stringContaining('CHANGES_TOKEN'),
      ],
    });
  });

  it('says that changes alone are nothing to investigate', async () => {
    const { url } = await scriptedSource({
      '/*': { parameters: ['start', 'end'], answer: () => new Refusal(401) },
    });
    const results = await checkTelemetry({ ARGOCD_URL: url, ARGOCD_TOKEN: 'x' });
    expect(results.at(-1)).toMatchObject({ name: 'telemetry', ok: false, fix: 'set PROMETHEUS_URL' });
  });
});

describe('the check of webhooks', () => {
  function configOf(env: Record<string, string>) {
    const result = readConfig(env);
    if (!result.ok) throw new Error(result.problems.join('\n'));
    return result.config;
  }

  it('sources without a secret, without a route, and that there are not are named', () => {
    const results = checkWebhooks(
      configOf({
        ALERT_WEBHOOK_SECRET_GRAFANA: 'key',
        ALERT_WEBHOOK_SECRET_SENTRY: 'key',
        ALERT_ROUTES: 'grafana->C0AAAAAAA;datadog->C0AAAAAAA;nagios->C0AAAAAAA',
      }),
    );
    expect(results.map(({ name, ok, detail, fix }) => [name, ok, detail, fix])).toEqual([
      [
        'webhooks of datadog',
        false,
        'the source is off: no secret is configured for it',
        'set ALERT_WEBHOOK_SECRET_DATADOG or ALERT_WEBHOOK_TOKEN',
      ],
      ['webhooks of grafana', true, 'POST /alerts/grafana takes them', null],
      ['webhooks of nagios', false, 'there is no such source', expect.stringContaining('ALERT_MAP_NAGIOS')],
      [
        'webhooks of sentry',
        false,
        'no route names a channel for its alerts, so they are kept without being posted',
        'add sentry->CHANNEL_ID to ALERT_ROUTES',
      ],
    ]);
  });

  it.each([
    [{}, true, 'POST /alerts/SOURCE takes every source, and alerts go to #alerts', null],
    [
      { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' },
      false,
      'no route names a channel, so alerts are kept without being posted',
      'add *->CHANNEL_ID to ALERT_ROUTES',
    ],
    [{ ALERT_ROUTES: '*->C0AAAAAAA' }, true, 'POST /alerts/SOURCE takes every source', null],
  ])('a token for all sources is one line, not one of each source: %j', (env, ok, detail, fix) => {
    const shared = {
      ALERT_WEBHOOK_TOKEN: 'token-of-all-sources',
      ISSUE_SERVICE_URL: 'http://127.0.0.1:1',
      ISSUE_SERVICE_API_KEY: 'key',
    };
    expect(checkWebhooks(configOf({ ...shared, ...env }))).toMatchObject([{ ok, detail, fix }]);
  });

  it('nothing is checked where nothing is configured', async () => {
    const config = configOf({});
    expect(checkWebhooks(config)).toEqual([]);
    expect(await checkAlertmanager(config.alertmanager)).toEqual([]);
  });

  it('an Alertmanager is asked with its token', async () => {
    const server = createServer((req, res) => {
      const isRight = req.headers.authorization === 'Bearer am-token' && req.url === '/am/api/v2/status';
      res.writeHead(isRight ? 200 : 401).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const check = async (token: string) => {
      const url = `http://127.0.0.1:${port}/am/`;
      const [result] = await checkAlertmanager(
        configOf({ ALERTMANAGER_URL: url, ALERTMANAGER_TOKEN: token }).alertmanager,
      );
      return [result?.ok, result?.detail];
    };
    expect(await check('am-token')).toEqual([true, 'it answers']);
    expect(await check('other')).toEqual([false, 'it answers with 401']);
    await new Promise((resolve) => server.close(resolve));
    expect(await check('am-token')).toEqual([false, 'it cannot be reached']);
  });
});

it('the check of tickets says that the tracker cannot be reached, and nothing where there is none', async () => {
  expect(await checkTickets(null)).toEqual([]);
  const url = await unusedAddress();
  const jira = { tracker: 'jira', url, project: 'FIX', user: 'a@acme.com', token: 'secret-token' } as const;
  expect(await checkTickets(jira)).toEqual([
    {
      name: 'tickets in Jira',
      ok: false,
      detail: 'Jira cannot be reached (ECONNREFUSED); I will keep trying',
      fix: 'check the network and HTTPS_PROXY, and run this again',
    },
  ]);
});

describe('the check of traces', () => {
  async function receiver(): Promise<string> {
    const server = createServer((req, res) => {
      if (req.url !== '/otlp/v1/traces' || req.method !== 'POST') res.writeHead(404);
      else if (req.headers.authorization !== 'Bearer right') res.writeHead(401);
      res.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  const result = async (endpoint: string, authorization: string) => {
    const [check] = await checkTracing({ endpoint, headers: { authorization } });
    return [check?.ok, check?.detail, check?.fix];
  };

  it('the receiver of the traces is tried with its headers', async () => {
    const url = await receiver();
    expect(await result(`${url}/otlp/`, 'Bearer right')).toEqual([true, 'the receiver accepts traces', null]);
    expect(await result(`${url}/otlp`, 'Bearer wrong')).toEqual([
      false,
      'the receiver answers with 401',
      'check OTEL_EXPORTER_OTLP_HEADERS',
    ]);
    expect(await result(url, 'Bearer right')).toEqual([
      false,
      'the receiver answers with 404',
      expect.stringContaining('v1/traces must be below it'),
    ]);
  });

  it('a receiver that is not there is named', async () => {
    expect(await result('http://127.0.0.1:9', 'Bearer right')).toEqual([
      false,
      'the receiver cannot be reached',
      'check OTEL_EXPORTER_OTLP_ENDPOINT and that it is up',
    ]);
  });

  it('nothing is tried if traces are off', async () => {
    expect(await checkTracing(null)).toEqual([]);
  });
});
