import { describe, expect, it } from 'vitest';
import { contentOf } from '../../../src/bot/alerts/message-content.ts';
import { SlackMessage } from '../../../src/bot/alerts/schema.ts';
import { alertPageUrl, isSentBy, queryParameter, urlsOf } from '../../../src/bot/alerts/urls.ts';
import { says, toolMessage, variant } from './fixtures.ts';

const PAGE = /^https:\/\/tool\.example\/pages\/\d/u;
const URL = 'https://tool.example/pages/7';
const content = (parts: Record<string, unknown>) => contentOf(SlackMessage.parse(toolMessage(parts)));
const button = { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://c.example' };

describe('the addresses of a message', () => {
  it('are those of titles, then of the words, then of buttons', () => {
    const message = content({
      text: 'see <https://b.example|b>',
      attachments: [{ title: 'A', title_link: 'https://a.example' }],
      blocks: [{ type: 'actions', elements: [button] }],
    });
    expect(urlsOf(message)).toStrictEqual(['https://a.example', 'https://b.example', 'https://c.example']);
  });

  it.each([
    ['a title', { attachments: [{ title: 'Down', title_link: URL }] }, URL],
    ['the beginning of its text', { text: `:fire: *Triggered* <${URL}|Down>` }, URL],
    ['the beginning of its blocks', { blocks: [{ type: 'section', text: `<${URL}|Down>` }] }, URL],
    ['a sentence', { text: `I looked at <${URL}|Down>: a deploy` }, null],
    ['a later line', { text: `New alert\n<${URL}|Down>` }, null],
  ])("lead to a tool's page from %s", (_, parts, page) => {
    expect(alertPageUrl(content(parts), PAGE, /^tool's own$/u)).toBe(page);
    expect(alertPageUrl(content(parts), PAGE, /^tool$/u)).toBe(URL);
  });

  it('have parameters, and none where they are no addresses', () => {
    expect(queryParameter('https://a.example/?a=1%202', 'a')).toBe('1 2');
    expect(queryParameter('https://a.example/?a=1', 'b')).toBe(null);
    expect(queryParameter('no address', 'a')).toBe(null);
  });
});

describe('the sender of a message', () => {
  it('is what it calls itself', () => {
    expect(isSentBy(content({ username: ' Tool ' }), /^tool$/iu)).toBe(true);
    expect(isSentBy(content({ username: 'Tool watcher' }), /^tool$/iu)).toBe(false);
  });
});

describe('a tool that sends without its link', () => {
  it.each([
    ['gcp-incident-open', 'gcp', 'VM CPU high'],
    ['newrelic-activated', 'newrelic', "Memory Used % > 90 for at least 2 minutes on 'checkout-api'"],
    ['honeycomb-trigger', 'honeycomb', 'Slow checkout'],
    ['opsgenie-created', 'opsgenie', '#4812: orders-db replication lag'],
  ])('%s is recognised by its name', (name, format, title) => {
    expect(
      says(variant(name, { title_link: undefined }), 'format', 'kind', 'title', 'alertUrl'),
    ).toStrictEqual({
      format,
      kind: 'firing',
      title,
      alertUrl: null,
    });
  });
});

describe('a page of a tool that another speaks of', () => {
  it.each([
    'https://console.cloud.google.com/monitoring/alerting/incidents/0.lxfiw61fsv7p?project=a',
    'https://radar-api.service.newrelic.com/accounts/1/issues/0ea2df1c-adab-45d2-aae0-042b609d2322',
    'https://ui.honeycomb.io/acme/environments/production/datasets/checkout/triggers/abc123',
    'https://acme.app.opsgenie.com/alert/detail/909993c0-72e7-4433-9e9e-30a2196e8f87-1763460000000/details',
  ])("does not make the message the tool's: %s", (url) => {
    const message = toolMessage({
      username: 'incident.io',
      text: 'New alert from Elsewhere',
      blocks: ['New alert from Elsewhere', 'Queue is long', 'Priority: Low', `<${url}|Source>`].map(
        (text) => ({
          type: 'section',
          text: { type: 'mrkdwn', text },
        }),
      ),
    });
    expect(says(message, 'format', 'title')).toStrictEqual({ format: 'incidentio', title: 'Queue is long' });
  });
});
