import { describe, expect, it } from 'vitest';
import { says, toolMessage } from '../fixtures.ts';

const said = (username: string, text: string) => toolMessage({ username, text });

/** What tools send to clients that show no cards: a text alone. */
describe('a text without cards', () => {
  it('of Pingdom names the check, its host and why', () => {
    const message = said('Pingdom', 'Checkout (shop.example.io) is DOWN\nTimeout (&gt; 30s)');
    expect(says(message, 'format', 'kind', 'host', 'errorMessage')).toStrictEqual({
      format: 'pingdom',
      kind: 'firing',
      host: 'shop.example.io',
      errorMessage: 'Timeout (> 30s)',
    });
    const up = said('Pingdom', 'Checkout (shop.example.io) is UP');
    expect(says(up, 'kind', 'fingerprint')).toStrictEqual({
      kind: 'resolved',
      ...says(message, 'fingerprint'),
    });
  });

  it('of Healthchecks names the check, its project and why', () => {
    const down = said(
      'Healthchecks.io',
      'The check “Nightly export” is DOWN.\nReason: no ping\nProject: Billing',
    );
    expect(says(down, 'format', 'kind', 'title', 'service', 'errorMessage')).toStrictEqual({
      format: 'healthchecks',
      kind: 'firing',
      title: 'Nightly export',
      service: 'Billing',
      errorMessage: 'no ping',
    });
    const up = said('Healthchecks.io', 'The check “Nightly export” is UP.\nProject: Billing');
    expect(says(up, 'kind', 'fingerprint')).toStrictEqual({ kind: 'resolved', ...says(down, 'fingerprint') });
  });

  it("of Alertmanager's family has no error's message in its title, and a severity among its labels", () => {
    const text = '[FIRING:1] HighErrorRate checkout-api (prod payments eu-west-1 critical)';
    expect(says(said('Alertmanager', text), 'format', 'severity', 'errorMessage')).toStrictEqual({
      format: 'alertmanager',
      severity: 'high',
      errorMessage: null,
    });
    expect(says(said('Grafana', text), 'format', 'severity')).toStrictEqual({
      format: 'generic',
      severity: 'high',
    });
  });

  it("of Sentry's metric alerts has its numbers and its start below the title", () => {
    const rule = 'https://acme.sentry.io/organizations/acme/alerts/rules/details/88123/?alert=1204';
    const text = `<${rule}|*Warning: Crash rate*>\n61 events in the last 10 minutes\n<!date^1795021200^Started: {date_pretty}|x>`;
    expect(says(said('Sentry', text), 'severity', 'errorMessage', 'triggeredAt')).toStrictEqual({
      severity: 'medium',
      errorMessage: '61 events in the last 10 minutes',
      triggeredAt: '2026-11-18T17:00:00Z',
    });
  });

  it.each([
    ['api.shop.example is down: connection refused', 'connection refused', 'api.shop.example'],
    ['Site Checkout is unreachable (HTTP 503) since 2026-11-18 09:03 UTC', 'HTTP 503', null],
    ['New incident for Checkout: Timeout', 'Timeout', null],
    ['Checkout is failing | Reason: TLS handshake failed | eu-west-1', 'TLS handshake failed', null],
    ['Monitor is DOWN: shop', null, null],
  ])('of any tool says why something is down: %s', (text, errorMessage, host) => {
    const { kind, ...told } = says(said('tool', text), 'kind', 'errorMessage', 'host');
    expect([kind, told]).toStrictEqual(['firing', { errorMessage, host }]);
  });
});

describe("an issue's level of Sentry", () => {
  const card = (emoji: string, label: string, below = '') =>
    toolMessage({
      username: 'Sentry',
      text: '[shop] x',
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: `${emoji} <https://acme.sentry.io/issues/7/|*${label}*>${below}`,
          },
        },
      ],
    });

  it.each([
    [':large_yellow_circle:', 'medium'],
    [':large_blue_circle:', 'low'],
    [':bug:', 'low'],
    [':red_circle:', null],
    [':large_yellow_circle: :spiral_calendar_pad:', null],
  ])('is what %s stands for', (emoji, severity) => {
    expect(says(card(emoji, 'Cart is slow'), 'severity')).toStrictEqual({ severity });
  });

  it.each([
    ['Payment provider answers slowly', '', null, null],
    ['Payment provider answers slowly', '\n```x```', null, 'x'],
    ['TypeError: x is undefined', '', 'TypeError', 'x is undefined'],
    ['TypeError', '\n```x```', 'TypeError', 'x'],
    ['unknown_key', '\n```x```', 'unknown_key', 'x'],
  ])('goes with a type only where its title is one: %s%s', (label, below, errorType, errorMessage) => {
    expect(says(card(':red_circle:', label, below), 'errorType', 'errorMessage')).toStrictEqual({
      errorType,
      errorMessage,
    });
  });
});
