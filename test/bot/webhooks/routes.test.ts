import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/bot/config.ts';
import { routeOf } from '../../../src/bot/webhooks/routes.ts';

function read(env: Record<string, string>) {
  const result = readConfig(env);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.config;
}

function problemsOf(env: Record<string, string>): string[] {
  const result = readConfig(env);
  return result.ok ? [] : result.problems;
}

describe('the secrets of webhooks', () => {
  it('are read by source, several for rotation', () => {
    expect(
      read({
        ALERT_WEBHOOK_TOKEN: 'token-1',
        ALERT_WEBHOOK_SECRET_GRAFANA: 'new-key, old-key',
        ALERT_WEBHOOK_SECRET_STATUS_PAGE: 'key-1',
        ALERT_WEBHOOK_SECRET_SENTRY: '',
        ALERT_SNS_TOPICS: 'arn:aws:sns:eu-central-1:123456789012:alarms',
        ALERT_MAP_STATUS_PAGE: '{"title":"incident.name"}',
      }).webhooks,
    ).toEqual({
      token: 'token-1',
      secrets: new Map([
        ['grafana', ['new-key', 'old-key']],
        ['status_page', ['key-1']],
      ]),
      topics: ['arn:aws:sns:eu-central-1:123456789012:alarms'],
      maps: new Map([['status_page', expect.objectContaining({ title: 'incident.name' })]]),
    });
  });

  it('are refused without being shown', () => {
    const problems = problemsOf({
      ALERT_WEBHOOK_SECRET_GRAFANA: 'a key',
      ALERT_WEBHOOK_SECRET_SENTRY: 'key,',
      'ALERT_WEBHOOK_SECRET_a-b': 'key',
      ALERT_MAP_OTHER: '{"titel":"a"}',
      ALERT_MAP_TOOL: '[1]',
      ALERT_SNS_TOPICS: 'alarms',
    });
    expect(problems.map((line) => line.split(';')[0])).toEqual([
      'ALERT_WEBHOOK_SECRET_GRAFANA must not contain spaces or non-ASCII characters',
      'ALERT_WEBHOOK_SECRET_SENTRY holds an empty secret: remove the superfluous comma',
      'ALERT_WEBHOOK_SECRET_a-b must end in the name of a source: letters, digits and underscores',
      'ALERT_MAP_OTHER holds an unknown field: titel',
      'ALERT_MAP_TOOL must be a JSON object',
      'ALERT_SNS_TOPICS must be a comma-separated list of ARNs of SNS topics',
    ]);
  });
});

describe('the routes', () => {
  const routes = read({
    ALERT_ROUTES:
      'grafana{team=payments, env="a, b; \\"c\\"}"}->C0AAAAAAA; PagerDuty -> G0BBBBBBB;*{severity=page}->C0CCCCCCC;',
  }).alertRoutes;

  it('are rules with labels, which may be in quotes', () => {
    expect(routes.map(({ text: _, ...route }) => route)).toEqual([
      { source: 'grafana', labels: { team: 'payments', env: 'a, b; "c"}' }, channel: 'C0AAAAAAA' },
      { source: 'pagerduty', labels: {}, channel: 'G0BBBBBBB' },
      { source: '*', labels: { severity: 'page' }, channel: 'C0CCCCCCC' },
    ]);
  });

  it('match by source and every label, and the first wins', () => {
    const channel = (source: string, labels: Record<string, string>) =>
      routeOf({ source, labels }, routes)?.channel ?? null;
    expect(channel('grafana', { team: 'payments', env: 'a, b; "c"}', severity: 'page' })).toBe('C0AAAAAAA');
    expect(channel('grafana', { team: 'payments', severity: 'page' })).toBe('C0CCCCCCC');
    expect(channel('pagerduty', { severity: 'page' })).toBe('G0BBBBBBB');
    expect(channel('sentry', { severity: 'low' })).toBeNull();
  });

  it.each([
    'grafana',
    'grafana->#alerts',
    'grafana{team}->C0AAAAAAA',
    'a->C0AAAAAAA,b->C0BBBBBBB',
    'a{b=c->C0AAAAAAA',
  ])('that cannot be read are named: %s', (rule) => {
    expect(problemsOf({ ALERT_ROUTES: `*->C0AAAAAAA;${rule}` })).toEqual([
      expect.stringContaining(`ALERT_ROUTES holds a rule that cannot be read: ${rule} (`),
    ]);
  });
});

it('an Alertmanager is read as it is set', () => {
  expect(
    read({
      ALERTMANAGER_URL: 'https://am.example.com/',
      ALERTMANAGER_TOKEN: 't',
    }).alertmanager,
  ).toEqual({ url: 'https://am.example.com', token: 't', user: null, password: null, silences: false });
});
