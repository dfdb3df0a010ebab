import { describe, expect, it } from 'vitest';
import { isSlackPayload } from '../../../../src/bot/slack/receivers/slack-payload.ts';

const user = { id: 'U1', name: 'somebody' };
const action = { type: 'button', action_id: 'issue:resolve', block_id: 'b' };
const message = { type: 'message', channel: 'C1', ts: '1.0', text: 'x' };
const command = { command: '/issue', text: '1', user_id: 'U1', channel_id: 'C1', trigger_id: '1.2' };

describe('what Slack sends', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a message', { type: 'event_callback', event: message }],
    ['a message of nobody', { type: 'event_callback', event: { ...message, user: null } }],
    [
      'a channel renamed',
      { type: 'event_callback', event: { type: 'channel_rename', channel: { id: 'C1' } } },
    ],
    ['a command', command],
    [
      'a button',
      { type: 'block_actions', user, team: { id: 'T1' }, channel: { id: 'C1' }, actions: [action] },
    ],
    ['a button of an organization', { type: 'block_actions', user, team: null, actions: [action] }],
    [
      'a modal',
      { type: 'view_submission', user, view: { id: 'V1', callback_id: 'issue:new', state: { values: {} } } },
    ],
    ['a shortcut', { type: 'shortcut', user, callback_id: 'new_issue', trigger_id: '1.2' }],
  ])('%s is taken', (_what, body) => {
    expect(isSlackPayload(body)).toBe(true);
  });
});

describe('what would make Bolt or a listener fail', () => {
  it.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['an event that is none', { type: 'event_callback', event: null }],
    ['an event in no channel', { type: 'event_callback', event: { ...message, channel: null } }],
    ['an event with an item that is a text', { type: 'event_callback', event: { ...message, item: 'x' } }],
    ['no authorization', { type: 'event_callback', event: message, authorizations: [null] }],
    ['an event of a person who is none', { type: 'event_callback', event: { ...message, user: '\u0000' } }],
    ['an event and a command in one', { ...command, event: message }],
    ['a command that is a number', { ...command, command: 7 }],
    ['a command without its text', { ...command, text: undefined }],
    ['a command of two people', { ...command, user_id: ['U1', 'U2'] }],
    ['a press of nobody', { type: 'block_actions', actions: [action] }],
    ['a press of nothing', { type: 'block_actions', user, actions: [] }],
    [
      'a press with an id that is a number',
      { type: 'block_actions', user, actions: [{ ...action, action_id: 7 }] },
    ],
    ['a press in no channel', { type: 'block_actions', user, actions: [action], channel: null }],
    ['a modal that holds nothing', { type: 'view_submission', user, view: { id: 'V1' } }],
    ['a modal without a view', { type: 'view_submission', user, view: null }],
    ['a modal that was closed and is none', { type: 'view_closed', user }],
  ])('%s is left out', (_what, body) => {
    expect(isSlackPayload(body)).toBe(false);
  });
});
