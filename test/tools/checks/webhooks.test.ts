import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/bot/config.ts';
import { checkAlertmanager, checkWebhooks } from '../../../src/tools/checks/webhooks.ts';

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
