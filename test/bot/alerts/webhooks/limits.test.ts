import { describe, expect, it } from 'vitest';
import { webhookFormatNamed } from '../../../../src/bot/alerts/formats/index.ts';
import { hasTooManyValues } from '../../../../src/bot/alerts/payload.ts';
import { readConfig } from '../../../../src/bot/config.ts';
import { routeOf } from '../../../../src/bot/webhooks/routes.ts';

const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`label_${at}`, `v${at}`]));
const tags = (labels: Record<string, string>) =>
  Object.entries(labels).map(([name, value]) => `${name}:${value}`);

/** An alert with these labels, as each source sends it. */
const bodies: Record<string, (labels: Record<string, string>) => unknown> = {
  alertmanager: (labels) => ({ alerts: [{ status: 'firing', labels }] }),
  grafana: (labels) => ({ alerts: [{ status: 'firing', labels }] }),
  datadog: (labels) => ({ title: 'Slow', tags: tags(labels) }),
  opsgenie: (labels) => ({ action: 'Create', alert: { alertId: 'a1b2c3d4', tags: tags(labels) } }),
  sentry: (labels) => ({ data: { event: { issue_id: '1', title: 'x', tags: Object.entries(labels) } } }),
  cloudwatch: (labels) => ({
    AlarmName: 'slow',
    NewStateValue: 'ALARM',
    Trigger: { Dimensions: Object.entries(labels).map(([name, value]) => ({ name, value })) },
  }),
  generic: (labels) => ({ title: 'Slow', labels }),
};

function read(source: string, body: unknown) {
  const reading = webhookFormatNamed(source)?.read(body, {});
  if (reading?.kind !== 'alerts') throw new Error(`${source}: ${JSON.stringify(reading)}`);
  return reading;
}

function theOne(source: string, body: unknown) {
  const [alert, ...others] = read(source, body).alerts;
  if (alert === undefined || others.length > 0) throw new Error(`${source} reads another number of alerts`);
  return alert;
}

function routesOf(rules: string) {
  const config = readConfig({ ALERT_ROUTES: rules });
  if (!config.ok) throw new Error(config.problems.join('\n'));
  return config.config.alertRoutes;
}

describe.each(Object.keys(bodies))('an alert of %s with a thousand labels', (source) => {
  const labels = { ...named(1_000), zz_team: 'payments', env: 'staging' };
  const body = bodies[source]?.(labels);

  it('keeps 256 of them, those of its fields among them, and counts the others', () => {
    const alert = theOne(source, body);
    expect(Object.keys(alert.labels)).toHaveLength(256);
    expect(alert.labels.env).toBe('staging');
    expect(alert.moreLabels).toBeGreaterThanOrEqual(1_002 - 256);
    if (source !== 'cloudwatch') expect(alert.alert.environment).toBe('staging');
  });

  it('goes where a rule about any of them says', () => {
    const routes = routesOf('*{zz_team=payments}->G0PRIVATE;*->C0PUBLIC');
    expect(routeOf({ source, ...theOne(source, body) }, routes)?.channel).toBe('G0PRIVATE');
  });

  it('waits where it was stored without a label that a rule is about', () => {
    const { routing: _, ...stored } = theOne(source, body);
    const route = (rules: string) => routeOf({ source, ...stored }, routesOf(rules))?.channel ?? null;
    expect(route('*{zz_team=payments}->G0PRIVATE;*->C0PUBLIC')).toBeNull();
    expect(route('*{env=production}->G0PRIVATE;*->C0PUBLIC')).toBe('C0PUBLIC');
  });

  it.skipIf(['sentry', 'opsgenie', 'cloudwatch', 'datadog'].includes(source))(
    'is told apart by any of them',
    () => {
      const other = theOne(source, bodies[source]?.({ ...labels, zz_team: 'orders' }));
      const same = theOne(source, bodies[source]?.(Object.fromEntries(Object.entries(labels).reverse())));
      expect(other.alert.fingerprint).not.toBe(theOne(source, body).alert.fingerprint);
      expect(same.alert.fingerprint).toBe(theOne(source, body).alert.fingerprint);
    },
  );
});

it('tags in one long text are all seen by the routes', () => {
  const text = `${tags(named(5_000)).join(',')},zz_team:payments`;
  const routes = routesOf('datadog{zz_team=payments}->G0PRIVATE;*->C0PUBLIC');
  const alert = theOne('datadog', { title: 'Slow', tags: text });
  expect(routeOf({ source: 'datadog', ...alert }, routes)?.channel).toBe('G0PRIVATE');
});

it('the labels of an Alertmanager’s route are all seen, and few are stored with each alert', () => {
  const alerts = [{ labels: { alertname: 'Slow' } }, { labels: { alertname: 'Down' } }];
  const { alerts: found } = read('alertmanager', {
    alerts,
    routeLabels: { ...named(500), zz_team: 'payments' },
  });
  const routes = routesOf('*{zz_team=payments}->G0PRIVATE;*->C0PUBLIC');
  expect(
    found.map((alert) => [
      Object.keys(alert.labels).length,
      routeOf({ source: 'alertmanager', ...alert }, routes)?.channel,
    ]),
  ).toEqual([
    [21, 'G0PRIVATE'],
    [21, 'G0PRIVATE'],
  ]);
});

it('a label that Grafana writes for itself is seen by the routes', () => {
  const alert = theOne('grafana', { alerts: [{ labels: { alertname: 'Slow', __folder_uid__: 'f1' } }] });
  const routes = routesOf('grafana{__folder_uid__=f1}->G0PRIVATE;*->C0PUBLIC');
  expect(routeOf({ source: 'grafana', ...alert }, routes)?.channel).toBe('G0PRIVATE');
});

it('annotations beyond 256 are counted, what matters is kept, and the description has a limit', () => {
  const annotations = {
    ...named(1_000),
    summary: 'Checkout is slow',
    runbook_url: 'https://wiki.example.com/slow',
  };
  const labels = { alertname: 'Slow' };
  const { alert, links } = theOne('alertmanager', { alerts: [{ labels, annotations }] });
  expect(alert.title).toBe('Slow: Checkout is slow');
  expect(links).toEqual([{ text: 'Runbook', url: 'https://wiki.example.com/slow' }]);
  expect(alert.description).toContain('more annotations: 746');
  const long = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a${at}`, 'x'.repeat(10_000)]));
  const { alert: large } = theOne('grafana', { alerts: [{ labels, annotations: long }] });
  expect(large.description).toHaveLength(20_000);
});

it.each([
  ['alertmanager', { alerts: Array.from({ length: 2_500 }, (_, at) => ({ labels: { at } })) }],
  ['grafana', { alerts: Array.from({ length: 2_500 }, (_, at) => ({ labels: { at } })) }],
  ['generic', Array.from({ length: 2_500 }, (_, at) => ({ title: `Alert ${at}` }))],
])('of %s, alerts beyond 2,000 are counted', (source, body) => {
  const { alerts, note } = read(source, body);
  expect({ alerts: alerts.length, note }).toEqual({
    alerts: 2_000,
    note: '500 more were left out: a webhook may hold 2000 alerts.',
  });
});

describe('a text of many values', () => {
  it.each([
    ['keys', JSON.stringify(named(50_001)), true],
    ['items', JSON.stringify(Array.from({ length: 50_001 }, () => 0)), true],
    ['levels', '['.repeat(50_001), true],
    ['commas in a text alone', JSON.stringify({ a: ',['.repeat(60_000), b: '\\",'.repeat(60_000) }), false],
    ['fewer keys', JSON.stringify(named(49_000)), false],
  ])('is seen before it is parsed: %s', (_what, text, expected) => {
    expect(hasTooManyValues(text)).toBe(expected);
  });

  it('is refused inside a message of SNS too', () => {
    const Message = JSON.stringify({ AlarmName: 'a', Trigger: { Dimensions: named(60_000) } });
    const reading = webhookFormatNamed('cloudwatch')?.read(
      { Type: 'Notification', TopicArn: 'a', Message },
      {},
    );
    expect(reading).toEqual({
      kind: 'refused',
      reason: 'The body has more than 50,000 values: send fewer alerts at once, or fewer labels.',
    });
  });
});
