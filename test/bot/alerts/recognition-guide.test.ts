import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { changed, messageOf, personsMessage, says, toolMessage, variant } from './fixtures.ts';

const edit = (previous_message: unknown, message: unknown) => ({
  type: 'message',
  subtype: 'message_changed',
  message,
  previous_message,
});
const kindOf = (message: unknown) => parseAlert(message).kind;
const identity = (message: unknown) => parseAlert(message).fingerprint;
const card = (attachment: Record<string, unknown>) => toolMessage({ text: '', attachments: [attachment] });

describe('a message as Slack delivers it', () => {
  it.each(['danger', 'a30200', '#a30200', 'A30200'])('a colour is one in each form: %s', (color) => {
    expect(kindOf(card({ title: 'Disk of db-7', color }))).toBe('firing');
  });

  it('escapes text, and not the address behind a title', () => {
    const message = card({
      title: 'Triggered: a &lt; b &amp; c',
      title_link: 'https://t.example.io/alerts/7?a=1&amp=2',
      text: 'see <https://t.example.io/x?a=1&amp;b=2|a &amp; b> and <https://t.example.io/y?c=1&amp;d=2>',
    });
    expect(says(message, 'title', 'alertUrl', 'errorMessage')).toStrictEqual({
      title: 'a < b & c',
      alertUrl: 'https://t.example.io/alerts/7?a=1&amp=2',
      errorMessage: 'see a & b and https://t.example.io/y?c=1&d=2',
    });
    expect(parseAlert(message).description).toContain(
      'see [a & b](https://t.example.io/x?a=1&b=2) and https',
    );
  });

  it('hides cards behind a fallback that says nothing: their blocks are read', () => {
    const text = { type: 'mrkdwn', text: '*Disk is failing*\n*Host:* db-7' };
    const message = card({ fallback: '[no preview available]', blocks: [{ type: 'section', text }] });
    expect(says(message, 'kind', 'title', 'host')).toStrictEqual({
      kind: 'firing',
      title: 'Disk is failing',
      host: 'db-7',
    });
  });

  it('leaves a fallback to read where there is nothing else, and only there', () => {
    const fallback = 'Alert: disk of db-7 is failing';
    expect(says(card({ fallback }), 'kind', 'title')).toStrictEqual({
      kind: 'firing',
      title: 'disk of db-7 is failing',
    });
    expect(kindOf(card({ fallback, text: 'Good morning' }))).toBe('not_an_alert');
  });

  it('writes rich text as elements', () => {
    const elements = [
      { type: 'text', text: 'Alert: ' },
      { type: 'link', url: 'https://t.example.io/alerts/7', text: 'disk is failing' },
    ];
    const blocks = [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }];
    expect(says(toolMessage({ text: '', blocks }), 'kind', 'title', 'alertUrl')).toStrictEqual({
      kind: 'firing',
      title: 'disk is failing',
      alertUrl: 'https://t.example.io/alerts/7',
    });
  });

  it('gives emoji by their names where a tool sent the characters', () => {
    const [names, characters] = [':red_circle: Down', '🔴 Down'].map((state) =>
      parseAlert(changed('uptime-kuma-down', [':red_circle: Down', state])),
    );
    expect({ ...characters, description: '' }).toStrictEqual({ ...names, description: '' });
  });
});

describe('an edited message', () => {
  it.each([
    ['Zabbix', 'zabbix-problem', changed('zabbix-problem', ['Problem: ', 'Resolved in 12m: '])],
    ['Alertmanager', 'alertmanager-default-firing', messageOf('alertmanager-default-resolved')],
    ['a Datadog page', 'datadog-oncall-page-triggered', messageOf('datadog-oncall-page-resolved')],
    ['PagerDuty', 'pagerduty-triggered', changed('pagerduty-triggered', ['*Triggered*', '*Resolved*'])],
  ])('of %s shows the recovery of its alert', (_, name, after) => {
    const { kind, fingerprint } = parseAlert(edit(messageOf(name), after));
    expect({ kind, fingerprint }).toStrictEqual({ kind: 'resolved', fingerprint: identity(messageOf(name)) });
  });

  it('that had recovered fires again', () => {
    const after = messageOf('alertmanager-default-firing');
    expect(kindOf(edit(messageOf('alertmanager-default-resolved'), after))).toBe('firing');
  });

  it('is not a new alert where only a link was unfurled, or a person corrected a word', () => {
    const page = messageOf('sentry-issue-new');
    const unfurled = {
      ...page,
      attachments: [
        ...(Array.isArray(page.attachments) ? page.attachments : []),
        { from_url: 'https://a.example', title: 'CRITICAL: down' },
      ],
    };
    expect(kindOf(edit(page, unfurled))).toBe('not_an_alert');
    expect(kindOf(messageOf('noise-message-changed-typo'))).toBe('not_an_alert');
  });

  it('that was deleted is no alert, and tells which it was', () => {
    const previous_message = messageOf('zabbix-problem');
    const { kind, fingerprint } = parseAlert({ subtype: 'message_deleted', previous_message });
    expect({ kind, fingerprint }).toStrictEqual({
      kind: 'not_an_alert',
      fingerprint: identity(previous_message),
    });
  });
});

describe('a message in a thread', () => {
  const thread_ts = '1794990000.000100';
  it.each([
    ['sentry-issue-resolved-thread', 'resolved'],
    ['sentry-metric-resolved-thread', 'resolved'],
    ['sentry-metric-warning-thread', 'firing'],
    ['zabbix-update-thread', 'not_an_alert'],
    ['pagerduty-acknowledged-thread', 'not_an_alert'],
    ['human-thread-reply-rca', 'not_an_alert'],
    ['human-thread-reply-resolved-word', 'not_an_alert'],
  ])('%s is %s', (name, kind) => {
    expect(kindOf(messageOf(name))).toBe(kind);
  });

  it('that is shown in the channel as well is an alert where a tool sent it, and none of a person', () => {
    const broadcast = { ...messageOf('sentry-metric-critical'), subtype: 'thread_broadcast', thread_ts };
    expect(kindOf(broadcast)).toBe('firing');
    expect(kindOf(personsMessage('prod is down', { subtype: 'thread_broadcast', thread_ts }))).toBe(
      'not_an_alert',
    );
  });
});

describe('an ambiguous message', () => {
  it('service: a check, an application, and never a namespace', () => {
    expect([
      parseAlert(messageOf('icinga-service-critical')).service,
      parseAlert(messageOf('argocd-sync-failed')).service,
      parseAlert(messageOf('robusta-prometheus-firing')).service,
    ]).toStrictEqual(['disk /var', 'checkout-api-prod', null]);
  });

  it('groups: one problem, whatever members it has now', () => {
    const group = messageOf('alertmanager-default-group3-firing');
    expect(identity(messageOf('alertmanager-default-group-shrinks'))).toBe(identity(group));
    expect(identity(changed('alertmanager-default-group3-firing', ['FIRING:3', 'FIRING:41']))).toBe(
      identity(group),
    );
  });

  it('words of another state: mixed titles, "not resolved", thresholds on recovery', () => {
    const mixed = changed('grafana-unified-firing', ['[FIRING:1]', '[FIRING:1, RESOLVED:2]']);
    expect(kindOf(mixed)).toBe('firing');
    expect(kindOf(toolMessage({ text: 'Error: queue is stuck, not resolved yet' }))).toBe('firing');
    expect(kindOf(messageOf('aws-notify-slack-cloudwatch-ok'))).toBe('resolved');
  });

  it.each([
    ['an acknowledgement', 'nagios-host-down', ['Host PROBLEM', 'Host ACKNOWLEDGEMENT']],
    ['a downtime', 'checkmk-service-problem', ['Service PROBLEM', 'Service DOWNTIMESTART']],
    ['an update', 'zabbix-problem', ['Problem: ', 'Updated problem in 5m: ']],
  ] as const)('%s is no alert, and about one', (_, name, words) => {
    const { kind, fingerprint } = parseAlert(changed(name, words));
    expect({ kind, fingerprint }).toStrictEqual({
      kind: 'not_an_alert',
      fingerprint: identity(messageOf(name)),
    });
  });

  it.each([
    [
      'Netdata',
      messageOf('netdata-warning'),
      changed('netdata-warning', ['needs attention', 'is critical'], ['daa038', 'a30200']),
    ],
    ['Sentry', messageOf('sentry-metric-warning-thread'), messageOf('sentry-metric-critical')],
  ])('an escalation of %s is the same alert, graver', (_, before, after) => {
    expect([kindOf(after), identity(after)]).toStrictEqual(['firing', identity(before)]);
    expect([before, after].map((message) => parseAlert(message).severity)).toStrictEqual(['medium', 'high']);
  });

  it('no data fires for Datadog and Grafana, and is no alert for CloudWatch', () => {
    const insufficient = changed('aws-notify-slack-cloudwatch-alarm', ['`ALARM`', '`INSUFFICIENT_DATA`']);
    const noData = changed('grafana-legacy-alerting', ['[Alerting]', '[No Data]']);
    expect([messageOf('datadog-nodata'), noData, insufficient].map(kindOf)).toStrictEqual([
      'firing',
      'firing',
      'not_an_alert',
    ]);
  });

  it.each(['github-actions-passed', 'argocd-deployed', 'rollbar-deploy'])(
    'a success closes no earlier failure: %s',
    (name) => {
      expect(says(messageOf(name), 'kind', 'fingerprint')).toStrictEqual({
        kind: 'not_an_alert',
        fingerprint: null,
      });
    },
  );

  it.each([
    ['sentry-issue-new', /notification_uuid=[\w-]+/gu, 'notification_uuid=other'],
    ['datadog-log-recovered', /(event_id|from_ts|to_ts)=\d+/gu, '$1=17'],
  ])('what a link says of its delivery is no part of the identity: %s', (name, words, others) => {
    const written = JSON.stringify(messageOf(name));
    expect(written).toMatch(words);
    expect(identity(JSON.parse(written.replace(words, others)))).toBe(identity(messageOf(name)));
  });
});

describe('a message decided by convention', () => {
  it('a colour and the word "down" state no severity', () => {
    expect(says(card({ title: 'shop is DOWN', color: 'danger' }), 'kind', 'severity')).toStrictEqual({
      kind: 'firing',
      severity: null,
    });
  });

  it('a person reports at top level, and states no time', () => {
    expect(says(personsMessage('checkout is down'), 'kind', 'triggeredAt')).toStrictEqual({
      kind: 'firing',
      triggeredAt: null,
    });
  });

  it.each([
    ['a test of the connection', messageOf('grafana-unified-test-notification')],
    ['a watchdog, which always fires', messageOf('alertmanager-watchdog')],
    ['our own echo', messageOf('own-bot-echo')],
    ['a recap by another bot', messageOf('report-error-recap')],
    [
      "another bot's triage of an alert",
      toolMessage({
        username: 'Triage',
        text: 'Root cause of <https://acme.sentry.io/issues/7700748352/|CHECKOUT-API-4F>: a null payload since 1.42.0. Suggested fix: guard `payload_transform`.',
      }),
    ],
    ['a digest', messageOf('report-weekly-digest')],
    ['a join', messageOf('noise-channel-join')],
    ['a topic', messageOf('noise-channel-topic')],
    ['an app that was added', messageOf('noise-bot-add')],
    ['a deletion', messageOf('noise-message-deleted')],
    ['a shared message', variant('datadog-nodata', { is_msg_unfurl: true })],
    ['a story', messageOf('human-past-incident-chatter')],
  ])('%s is no alert', (_, message) => {
    expect(kindOf(message)).toBe('not_an_alert');
  });
});
