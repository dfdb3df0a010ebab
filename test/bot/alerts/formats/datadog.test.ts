import { describe, expect, it } from 'vitest';
import { messageOf, partOf, says, variant } from '../fixtures.ts';

const LOG = 'datadog-log-triggered';
const PAGE = 'datadog-oncall-page-triggered';
const link = (group: string, event = 1) =>
  `https://us5.datadoghq.com/monitors/77?group=${encodeURIComponent(group)}&event_id=${event}&from_ts=${event}`;

describe("the card of Datadog's monitor", () => {
  it.each([
    ['Triggered: CPU', 'firing', null],
    ['Re-Triggered: CPU', 'firing', null],
    ['Warn: CPU', 'firing', 'medium'],
    ['Re-Warn: CPU', 'firing', 'medium'],
    ['No data: CPU', 'firing', null],
    ['Re-No Data: CPU', 'firing', null],
    ['Recovered: CPU', 'resolved', null],
    ['[P1] Triggered: CPU', 'firing', 'high'],
    ['[P4] [Triggered] CPU', 'firing', 'low'],
    ['Muted: CPU', 'not_an_alert', null],
  ])('%s is %s, its severity %s', (title, kind, severity) => {
    expect(says(variant(LOG, { title }), 'kind', 'severity')).toStrictEqual({ kind, severity });
  });

  it('is one alert in every state, in any order of its group, whatever the event', () => {
    const prints = [
      { title: 'Triggered: CPU on host:web-1,env:stg', title_link: link('host:web-1,env:stg', 1) },
      { title: 'No data: CPU on env:stg,host:web-1', title_link: link('env:stg,host:web-1', 2) },
      { title: 'Recovered: CPU on host:web-1,env:stg', title_link: 'https://us5.datadoghq.com/monitors/77' },
    ].map((changes) => says(variant(LOG, changes), 'fingerprint').fingerprint);
    expect(new Set(prints).size).toBe(1);
  });

  it('is a different alert in another group', () => {
    const one = says(variant(LOG, { title_link: link('host:web-1') }), 'fingerprint');
    expect(says(variant(LOG, { title_link: link('host:web-2') }), 'fingerprint')).not.toStrictEqual(one);
  });

  it('is recognised by its link without its name', () => {
    const { bot_profile: _, ...message } = variant(LOG, {
      title: 'Triggered: CPU on host:web-1',
      title_link: link(''),
    });
    expect(says(message, 'format', 'host', 'tags')).toStrictEqual({
      format: 'datadog',
      host: 'web-1',
      tags: ['host:web-1'],
    });
  });

  it('takes its scope from the group, else from the query, never from what the query excludes', () => {
    const text = 'avg(last_5m):avg:system.cpu.user{env:prod,service:web,!host:web-9} by {host} &gt; 90.0';
    const message = variant(LOG, { title: 'Triggered: CPU', title_link: link('service:api'), text });
    expect(says(message, 'environment', 'service', 'host', 'tags', 'errorMessage')).toStrictEqual({
      environment: 'prod',
      service: 'api',
      host: null,
      tags: ['service:api'],
      errorMessage: 'avg(last_5m):avg:system.cpu.user{env:prod,service:web,!host:web-9} by {host} > 90.0',
    });
  });

  it('leaves mentions and rows of links out of what it describes', () => {
    const text =
      '@slack-ops @pagerduty\n\nThe queue is long.\n\nThe monitor was last triggered at Wed Nov 18 2026 04:32:36 UTC.\n\n- - -\n\n<https://app.datadoghq.com/monitors/1|[Monitor Status]> · <https://app.datadoghq.com/monitors/1/edit|[Edit Monitor]>';
    const message = variant(LOG, { title: 'Triggered: Queue', text });
    expect(says(message, 'description', 'errorMessage', 'triggeredAt')).toStrictEqual({
      description: 'The queue is long.',
      errorMessage: 'The queue is long.',
      triggeredAt: '2026-11-18T04:32:36Z',
    });
  });
});

describe('a page of Datadog On-Call', () => {
  const text = partOf(PAGE, 'text');

  it('is noted, and the same problem, while it is acknowledged', () => {
    const message = variant(PAGE, { text: text.replace('Triggered\n', 'Acknowledged\n') });
    expect(says(message, 'kind')).toStrictEqual({ kind: 'not_an_alert' });
    expect(says(message, 'fingerprint')).toStrictEqual(says(messageOf(PAGE), 'fingerprint'));
  });

  it('reads the same from blocks', () => {
    const mrkdwn = (words: string) => ({ type: 'section', text: { type: 'mrkdwn', text: words } });
    const title = `*<https://app.datadoghq.com/on-call/pages/52488|${partOf(PAGE, 'title')}>*`;
    const attachments = [
      { id: 1, fallback: '[no preview available]', blocks: [mrkdwn(title), mrkdwn(text)] },
    ];
    const keys = [
      'kind',
      'title',
      'severity',
      'host',
      'alertUrl',
      'triggeredAt',
      'errorMessage',
      'fingerprint',
    ] as const;
    expect(says({ ...messageOf(PAGE), attachments }, ...keys)).toStrictEqual(says(messageOf(PAGE), ...keys));
  });

  it('is recognised by its number where it names no monitor', () => {
    const short = '*Status:*\nTriggered\n*Urgency:*\nLow';
    const message = variant(PAGE, { text: short });
    expect(says(message, 'kind', 'severity')).toStrictEqual({ kind: 'firing', severity: 'low' });
    const over = variant(PAGE, { text: short.replace('Triggered', ':white_check_mark: Resolved') });
    expect(says(over, 'fingerprint')).toStrictEqual(says(message, 'fingerprint'));
  });

  it('is an edit of one message: triggered, then resolved', () => {
    const before = messageOf(PAGE);
    const now = messageOf('datadog-oncall-page-resolved');
    const edit = { type: 'message', subtype: 'message_changed', message: now, previous_message: before };
    expect(says(edit, 'kind', 'fingerprint')).toStrictEqual({
      ...says(before, 'fingerprint'),
      kind: 'resolved',
    });
  });

  it('is not an alert when it is a shift handover', () => {
    const message = variant(PAGE, {
      title: 'On-call handover summary',
      fallback: '',
      text: '3 pages were triggered',
    });
    expect(says(message, 'kind', 'fingerprint')).toStrictEqual({ kind: 'not_an_alert', fingerprint: null });
  });
});
