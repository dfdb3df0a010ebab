import { describe, expect, it } from 'vitest';
import { isPersonsMessage, senderOf } from '../../../src/bot/alerts/sender.ts';
import { messageOf, personsMessage, toolMessage } from './fixtures.ts';

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
