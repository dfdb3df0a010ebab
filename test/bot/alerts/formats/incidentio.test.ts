import { describe, expect, it } from 'vitest';
import { messageOf, says, toolMessage } from '../fixtures.ts';

const NEW = 'incidentio-new-alert';
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const card = (heading: string, ...below: string[]) => ({
  ...messageOf(NEW),
  text: heading,
  blocks: [heading, ...below].map(section),
});
const TITLE = 'Checkout p95 latency above SLO';

describe('an alert of incident.io', () => {
  it.each([
    ['New alert from Grafana', 'firing'],
    ['Resolved alert from Grafana', 'resolved'],
    ['Alert from Grafana resolved', 'resolved'],
    ['Acknowledged alert from Grafana', 'not_an_alert'],
  ])('%s is %s, and the same alert', (heading, kind) => {
    expect(says(card(heading, TITLE, 'Priority: High'), 'kind', 'title', 'fingerprint')).toStrictEqual({
      kind,
      ...says(messageOf(NEW), 'title', 'fingerprint'),
    });
  });

  it('says the same whichever comes first, title or priority', () => {
    expect(says(card('New alert from Grafana', 'Priority: Low', TITLE), 'title', 'severity')).toStrictEqual({
      title: TITLE,
      severity: 'low',
    });
  });

  it('from another tool is a different alert', () => {
    expect(says(card('New alert from Datadog', TITLE), 'fingerprint')).not.toStrictEqual(
      says(messageOf(NEW), 'fingerprint'),
    );
  });

  it('is not recognised by its heading alone', () => {
    expect(says(toolMessage({ text: 'New alert from Grafana\nCPU is high' }), 'format')).toStrictEqual({
      format: 'generic',
    });
  });
});
