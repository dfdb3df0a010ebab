import { WebAPIRateLimitedError } from '@slack/web-api';
import { expect, it } from 'vitest';
import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { gaveUpWaiting, keptForLater, slackIsDown } from '../../../../src/bot/render/notices.ts';
import { viewIds } from '../../../../src/bot/render/view-ids.ts';
import { addCreated } from '../../../support/issues.ts';
import { tablesOf } from '../../../support/tables-of.ts';
import { command } from '../support/command.ts';
import { listening, responseAddress } from '../support/listening.ts';

const HOUR_MS = 60 * 60_000;

/** A workspace in which Slack does not say who somebody is until `heal`. */
async function stalled() {
  const slack = { isDown: true };
  const l = await listening({
    people: {
      refusal: async () => {
        if (slack.isDown) throw new WebAPIRateLimitedError(30);
        return null;
      },
    },
  });
  l.slack.answers('views.open', {});
  const address = await responseAddress();
  const heal = () => {
    slack.isDown = false;
  };
  /** What only one person saw, wherever it was posted. */
  const heard = () => [
    ...address.sent.map(({ text }) => text),
    ...l.slack.calls.flatMap(({ method, args }) =>
      method === 'chat.postEphemeral' ? (args.text ?? '') : [],
    ),
  ];
  return { ...l, heal, heard, url: address.url };
}

type Stalled = Awaited<ReturnType<typeof stalled>>;

const event = (event: Record<string, unknown>) => ({
  type: 'event_callback',
  team_id: 'T1',
  api_app_id: 'A1',
  event_id: 'Ev1',
  event: { user: 'U1', ts: '1700000000.000100', ...event },
});

const asked = async ({ file }: Stalled) => tablesOf(file).questions?.length ?? 0;
const filed = async ({ file }: Stalled) => tablesOf(file).issues?.length ?? 0;

const KEPT: [string, (s: Stalled) => Record<string, unknown>, (s: Stalled) => Promise<number>][] = [
  ['/investigate', ({ url }) => command('/investigate', 'checkout is slow', { response_url: url }), filed],
  ['/ask', ({ url }) => command('/ask', 'why is checkout slow?', { response_url: url }), asked],
  [
    'a mention',
    () => event({ type: 'app_mention', channel: 'C1', text: '<@U0BOT> why is checkout slow?' }),
    asked,
  ],
  [
    'a direct message',
    () => event({ type: 'message', channel: 'D1', channel_type: 'im', text: 'why is checkout slow?' }),
    asked,
  ],
  [
    '🔍',
    ({ slack }) => {
      const text = 'the disk of db-1 is full';
      slack.answers('conversations.history', {
        messages: [{ type: 'message', user: 'U2', ts: '5.0', text }],
      });
      return event({
        type: 'reaction_added',
        reaction: 'mag',
        item: { type: 'message', channel: 'C1', ts: '5.0' },
      });
    },
    filed,
  ],
];

it.each(KEPT)('%s is kept, with a word at once, and done when Slack is well', async (_what, send, done) => {
  const s = await stalled();
  const body = send(s);
  const receivedAt = s.clock.now();
  for (let tries = 0; tries < 3; tries += 1) {
    await expect(s.give(body, receivedAt)).rejects.toThrow();
    expect(s.heard()).toEqual([keptForLater().text]);
  }
  expect(await done(s)).toBe(0);
  s.heal();
  await s.give(body, receivedAt);
  expect(await done(s)).toBe(1);
});

it.each(KEPT)('%s is refused in words after six hours', async (_what, send, done) => {
  const s = await stalled();
  await s.give(send(s), s.clock.now() - 6 * HOUR_MS);
  expect(s.heard()).toEqual([gaveUpWaiting(6).text]);
  expect(await done(s)).toBe(0);
});

it('a press under a message is kept too', async () => {
  const s = await stalled();
  const { id } = await addCreated(s.store, s.clock.now(), { number: 1, channel: 'C1' });
  const press = {
    type: 'block_actions',
    user: { id: 'U1' },
    team: { id: 'T1' },
    channel: { id: 'C1' },
    trigger_id: '1.2.3',
    response_url: s.url,
    actions: [{ type: 'button', block_id: 'b', action_id: actionIds.resolve, value: id, action_ts: '1.0' }],
  };
  await expect(s.give(press)).rejects.toThrow();
  expect(s.heard()).toEqual([keptForLater().text]);
});

it('what is sent from a modal is refused there, and what was typed stays', async () => {
  const s = await stalled();
  await s.give({
    type: 'view_submission',
    user: { id: 'U1' },
    team: { id: 'T1' },
    view: {
      id: 'V1',
      type: 'modal',
      callback_id: viewIds.newIssue,
      private_metadata: '{}',
      state: { values: { title: { title: { type: 'plain_text_input', value: 'slow' } } } },
    },
  });
  expect(s.acks).toEqual([{ response_action: 'errors', errors: { title: slackIsDown().text } }]);
});

it('a press on the Home is refused in a modal', async () => {
  const s = await stalled();
  await s.give({
    type: 'block_actions',
    user: { id: 'U1' },
    team: { id: 'T1' },
    trigger_id: '1.2.3',
    view: { id: 'V1', type: 'home', state: { values: {} } },
    actions: [{ type: 'button', block_id: 'b', action_id: actionIds.homeNext, value: '1', action_ts: '1.0' }],
  });
  const [opened] = s.slack.calls.filter(({ method }) => method === 'views.open');
  expect(opened?.args.view).toContain(slackIsDown().text);
});

it('a failure of our own is nothing to wait for', async () => {
  const l = await listening({
    people: {
      refusal: async () => {
        throw new Error('no such table');
      },
    },
  });
  const address = await responseAddress();
  await expect(l.give(command('/ask', 'why?', { response_url: address.url }))).rejects.toThrow(
    'no such table',
  );
  expect(address.sent).toEqual([]);
});
