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
  it.each(['danger', 'a30200', '#a30200', 'A30200'])('a color is one in each form: %s', (color) => {
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
  it('that is shown in the channel as well is an alert where a tool sent it, and none of a person', () => {
    const broadcast = { ...messageOf('sentry-metric-critical'), subtype: 'thread_broadcast', thread_ts };
    expect(kindOf(broadcast)).toBe('firing');
    expect(kindOf(personsMessage('prod is down', { subtype: 'thread_broadcast', thread_ts }))).toBe(
      'not_an_alert',
    );
  });
});

describe('a success', () => {
  it.each(['github-actions-passed', 'argocd-deployed', 'rollbar-deploy'])(
    'closes no earlier failure: %s',
    (name) => {
      expect(says(messageOf(name), 'kind', 'fingerprint')).toStrictEqual({
        kind: 'not_an_alert',
        fingerprint: null,
      });
    },
  );
});

describe('a message decided by convention', () => {
  it('a color and the word "down" state no severity', () => {
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
    [
      "another bot's triage of an alert",
      toolMessage({
        username: 'Triage',
        text: 'Root cause of <https://acme.sentry.io/issues/7700748352/|CHECKOUT-API-4F>: a null payload since 1.42.0. Suggested fix: guard `payload_transform`.',
      }),
    ],
    ['a shared message', variant('datadog-nodata', { is_msg_unfurl: true })],
  ])('%s is no alert', (_, message) => {
    expect(kindOf(message)).toBe('not_an_alert');
  });
});
