import { describe, expect, it } from 'vitest';
import {
  contentOf,
  isPersonsMessage,
  isSentBy,
  queryParameter,
  SlackMessage,
  senderOf,
  truncateJson,
  urlsOf,
} from '../../../src/bot/alerts/message.ts';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { messageOf, personsMessage, says, toolMessage, variant } from './fixtures.ts';

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
    expect(says(message, 'format', 'title')).toStrictEqual({ format: 'generic', title: 'Queue is long' });
  });
});

const edit = (message: unknown) => ({ type: 'message', subtype: 'message_changed', message });

describe('isPersonsMessage', () => {
  it.each([
    ['a report', personsMessage('checkout is down'), true],
    ['a reply that is shown in the channel', personsMessage('x', { subtype: 'thread_broadcast' }), true],
    ['a webhook', toolMessage({ text: 'checkout is down' }), false],
    ['an app, which has a user as well', messageOf('datadog-nodata'), false],
    ['a join', personsMessage('joined', { subtype: 'channel_join' }), false],
    ['Slackbot', personsMessage('reminder', { user: 'USLACKBOT' }), false],
    ['Slack itself', personsMessage('reminder', { user: 'USLACK' }), false],
    ['no message', 'x', false],
  ])('%s', (_, event, person) => {
    expect(isPersonsMessage(event)).toBe(person);
  });
});

describe('senderOf', () => {
  const profile = { id: 'B1', app_id: 'A1', name: 'Pulse' };
  it.each([
    [
      'a webhook, by the name that its owner chose',
      toolMessage({ username: ' netdata on\ncache-4 ' }),
      'netdata on cache-4',
    ],
    ['an app, by its own', messageOf('datadog-nodata'), 'Datadog'],
    [
      'an app that posts under another name',
      toolMessage({ username: 'Night shift', bot_profile: profile }),
      'Night shift',
    ],
    [
      'an app without a name in the message itself',
      toolMessage({ username: '', bot_profile: profile }),
      'Pulse',
    ],
    ['a tool that names nobody', toolMessage({ username: undefined }), null],
    ['an edited card', edit(messageOf('zabbix-problem')), 'Zabbix'],
    ['a person', personsMessage('checkout is down'), null],
    ["a person's edit", edit(personsMessage('checkout is down')), null],
    ['no message', 7, null],
    ['an edit of nothing', edit(undefined), null],
  ])('%s', (_, event, name) => {
    expect(senderOf(event)).toBe(name);
  });
});

const reach = { characters: 100, perString: 40, values: 20, depth: 4 };

/** How many elements of a list were looked at. */
function counted(
  length: number,
  element: (index: number) => unknown,
): { list: unknown[]; read: () => number } {
  let read = 0;
  const list = new Proxy(Array.from({ length }), {
    get: (target, key, receiver) => {
      const isIndex = typeof key === 'string' && /^\d+$/u.test(key);
      if (!isIndex) return Reflect.get(target, key, receiver);
      read += 1;
      return element(Number(key));
    },
  });
  return { list, read: () => read };
}

describe('truncating a JSON value', () => {
  it('keeps a small value whole', () => {
    const value = { a: ['b', { c: null, d: 1.5, e: true }], f: '' };
    expect(truncateJson(value, reach)).toEqual(value);
  });

  it('stops after the limit of characters, and reads nothing further', () => {
    const { list, read } = counted(1_000, () => 'x'.repeat(30));
    expect(truncateJson(list, reach)).toEqual([
      ...Array.from({ length: 3 }, () => 'x'.repeat(30)),
      'x'.repeat(10),
    ]);
    expect(read()).toBe(4);
  });

  it('stops after the limit of values, whatever they are', () => {
    const { list, read } = counted(1_000, () => ({ a: 1 }));
    truncateJson(list, reach);
    expect(read()).toBeLessThanOrEqual(10);
  });

  it('leaves room after one long string', () => {
    expect(truncateJson(['x'.repeat(500), 'second'], reach)).toEqual(['x'.repeat(40), 'second']);
  });

  it('stops at the depth limit', () => {
    expect(truncateJson([[[[['deep']]]]], reach)).toEqual([[[[null]]]]);
  });

  it('treats special keys as ordinary keys', () => {
    const value: unknown = JSON.parse('{"__proto__":{"title":"x"}}');
    const copy = truncateJson(value, reach);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"title":"x"}}');
  });
});

describe('the part of an alert that is read', () => {
  const field = (i: number) => ({ title: `field ${i}`, value: `value ${i} ${'word '.repeat(100)}` });
  const attachment = (i: number) => ({
    color: 'danger',
    title: `Attachment ${i}`,
    text: `text ${i}`,
    fields: Array.from({ length: 50 }, (_, j) => field(50 * i + j)),
  });
  const block = (i: number) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: `*Block ${i}*` },
    fields: Array.from({ length: 10 }, (_, j) => ({
      type: 'mrkdwn',
      text: `*f${j}:* ${'word '.repeat(300)}`,
    })),
  });
  const message = { type: 'message', bot_id: 'B1', text: '[FIRING:1] Disk full on db-1' };

  it('does not grow with its attachments', () => {
    const some = counted(100, attachment);
    const many = counted(100_000, attachment);
    const alert = parseAlert({ ...message, attachments: many.list });
    expect(alert).toEqual(parseAlert({ ...message, attachments: some.list }));
    expect(alert).toMatchObject({ kind: 'firing', title: expect.stringContaining('Attachment 0') });
    expect(many.read()).toBe(some.read());
    expect(many.read()).toBeLessThanOrEqual(10);
  });

  it('does not grow with its blocks', () => {
    const some = counted(50, block);
    const many = counted(100_000, block);
    expect(parseAlert({ ...message, blocks: many.list })).toEqual(
      parseAlert({ ...message, blocks: some.list }),
    );
    expect(many.read()).toBe(some.read());
  });

  it('does not grow with the contents of a block', () => {
    const words = (length: number) => {
      const elements = counted(length, () => ({ type: 'text', text: 'a word ' }));
      const alert = parseAlert({
        ...message,
        blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: elements.list }] }],
      });
      return { alert, read: elements.read() };
    };
    expect(words(1_000_000)).toEqual(words(10_000));
  });

  it('is the beginning of each version of an edited message', () => {
    const now = counted(100_000, attachment);
    const before = counted(100_000, attachment);
    parseAlert({
      type: 'message',
      subtype: 'message_changed',
      message: { ...message, attachments: now.list },
      previous_message: { ...message, attachments: before.list },
    });
    expect(now.read() + before.read()).toBeLessThanOrEqual(20);
  });
});

describe('a message of blocks only', () => {
  const field = (text: string) => ({ type: 'mrkdwn', text });
  const blocks = [
    {
      type: 'section',
      fields: ['*Finding*', 'CVE-2026-1', '*Severity:*', 'CRITICAL', '*Both*\nlines'].map(field),
    },
  ];

  it('has no text, whatever Slack says in its place', () => {
    expect(content({ text: "This content can't be displayed.", blocks }).message.text).toBe('');
  });

  it('may have labels and values by turns', () => {
    expect(content({ text: '', blocks }).facts.map(({ name, value }) => [name, value])).toStrictEqual([
      ['Finding', 'CVE-2026-1'],
      ['Severity', 'CRITICAL'],
      ['Both', 'lines'],
    ]);
  });
});
