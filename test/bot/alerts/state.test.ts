import { describe, expect, it } from 'vitest';
import { isRecoverySummary } from '../../../src/bot/alerts/state.ts';
import { changed, says, toolMessage } from './fixtures.ts';

describe("a recovery's words", () => {
  it.each([
    'Host was unreachable: connect ETIMEDOUT',
    'It was down for 5 minutes',
    'The incident lasted 12 min',
    'Downtime: 30 minutes',
    'Service has been restored',
    'back to normal after 3 failures',
  ])('describe the past problem: %s', (words) => {
    expect(isRecoverySummary(words)).toBe(true);
  });

  it.each([
    '200 - OK',
    'p95 of POST /checkout is 2.41s (SLO 800ms)',
    'Threshold Crossed: 1 datapoint [2.0] was not greater than the threshold (50.0).',
    'Request duration is above 2 s',
    'api.internal could not be resolved',
  ])('state a measurement: %s', (words) => {
    expect(isRecoverySummary(words)).toBe(false);
  });

  it.each([
    ['Uptime Kuma', '[orders-db] [✅ Up] Host was unreachable: connect ETIMEDOUT'],
    ['tool', 'Resolved: orders-db\nReason: it was down for 5 minutes'],
  ])('are not an error message, whichever tool sent them: %s', (username, text) => {
    expect(says(toolMessage({ username, text }), 'kind', 'errorMessage')).toStrictEqual({
      kind: 'resolved',
      errorMessage: null,
    });
  });

  it('stay while the alert is firing, and if they repeat its rule', () => {
    const firing = toolMessage({
      username: 'Uptime Kuma',
      text: '[orders-db] [🔴 Down] host was unreachable',
    });
    expect(says(firing, 'errorMessage')).toStrictEqual({ errorMessage: 'host was unreachable' });
    const over = changed('zabbix-resolved-event-mode', ['is too high', 'was too high']);
    expect(says(over, 'errorMessage')).toStrictEqual({ errorMessage: null });
  });
});
