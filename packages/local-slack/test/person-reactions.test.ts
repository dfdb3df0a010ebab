import { expect, test } from 'vitest';
import { clientOf, eventsOf, testWorkspace, until } from '../testing/index.ts';

const ALICE = 'U0ALICE001';

test('a person’s emoji goes on and off once, is shown, and the app hears of both', async () => {
  const workspace = await testWorkspace();
  const events = await eventsOf(workspace);
  const channel = workspace.channels.alerts;
  const { ts } = await workspace.post({ channel, user: 'U0BOB00001', text: 'x' });
  const react = (on: boolean) => workspace.react({ as: ALICE, channel, message_ts: ts, name: ':mag:', on });

  expect(await react(true)).toEqual({ ok: true });
  expect(await react(true)).toEqual({ ok: false, error: 'Slack refused it: already_reacted.' });
  const reactions = [{ name: 'mag', users: [ALICE], count: 1 }];
  expect(workspace.messages(channel)).toMatchObject([{ reactions }]);
  const got = await clientOf(workspace).reactions.get({ channel, timestamp: ts });
  expect(got.message?.reactions).toEqual(reactions);
  expect(await react(false)).toEqual({ ok: true });
  expect(await react(false)).toEqual({ ok: false, error: 'Slack refused it: no_reaction.' });
  expect(workspace.messages(channel)[0]?.reactions).toBeUndefined();

  await until(() => events.length === 3);
  const shared = {
    user: ALICE,
    reaction: 'mag',
    item: { type: 'message', channel, ts },
    item_user: 'U0BOB00001',
    event_ts: expect.stringMatching(/^\d{10}\.\d{6}$/),
  };
  expect(events.slice(1)).toEqual([
    { type: 'reaction_added', ...shared },
    { type: 'reaction_removed', ...shared },
  ]);
});

test('the app hears of no emoji where it is no member, or where its manifest does not ask', async () => {
  const workspace = await testWorkspace({ events: ['message.channels', 'reaction_added'] });
  const events = await eventsOf(workspace);
  const inside = await workspace.post({ channel: 'general', text: 'x' });
  const outside = await workspace.post({ channel: 'payments', text: 'x' });
  const put = (channel: string, message_ts: string, on: boolean) =>
    workspace.react({ as: ALICE, channel, message_ts, name: 'mag', on });
  expect(await put(workspace.channels.payments, outside.ts, true)).toEqual({ ok: true });
  expect(await put(workspace.channels.general, inside.ts, true)).toEqual({ ok: true });
  expect(await put(workspace.channels.general, inside.ts, false)).toEqual({ ok: true });
  await workspace.post({ channel: 'general', text: 'last' });
  await until(() => events.length === 3);
  expect(events.map((event) => [event.type, event.text ?? event.item])).toEqual([
    ['message', 'x'],
    ['reaction_added', { type: 'message', channel: workspace.channels.general, ts: inside.ts }],
    ['message', 'last'],
  ]);
});
