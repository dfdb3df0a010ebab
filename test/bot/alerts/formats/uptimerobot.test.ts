import { describe, expect, it } from 'vitest';
import { says, toolMessage } from '../fixtures.ts';

describe("a monitor of UptimeRobot's", () => {
  const line = (text: string) => toolMessage({ username: 'x', text });

  it.each([
    ['Monitor is DOWN: API ( <https://api.example.io/a_b?c=d&amp;e=f> )', 'firing', null],
    [
      'Monitor is DOWN: API ( <https://api.example.io> ) - Reason: HTTP 502 - Bad Gateway',
      'firing',
      'HTTP 502 - Bad Gateway',
    ],
    [
      'Monitor is UP: API ( <https://api.example.io> ). It was down for 0 minutes and 59 seconds.',
      'resolved',
      null,
    ],
    ['Monitor is UP: API ( 10.0.0.1 ). It was down for 3 hours (and 2 minutes).', 'resolved', null],
    ['Monitor is PAUSED: API ( <https://api.example.io> )', 'not_an_alert', null],
    ['Monitor is DOWN: API', 'firing', null],
  ])('%s is %s', (text, kind, errorMessage) => {
    expect(says(line(text), 'format', 'kind', 'title', 'errorMessage', 'alertUrl')).toStrictEqual({
      format: 'uptimerobot',
      kind,
      title: 'API',
      errorMessage,
      alertUrl: null,
    });
    expect(says(line(text), 'fingerprint')).toStrictEqual(
      says(line('Monitor is UP: API ( x )'), 'fingerprint'),
    );
  });

  it('has the parentheses of its name', () => {
    expect(says(line('Monitor is DOWN: API (eu) ( <https://api.example.io> )'), 'title')).toStrictEqual({
      title: 'API (eu)',
    });
  });
});
