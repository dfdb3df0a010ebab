import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { createAllowance } from '../../../../src/bot/slack/listening/limit.ts';
import { addCreated } from '../../../support/issues.ts';
import { command } from '../support/command.ts';
import { listening, responseAddress } from '../support/listening.ts';

const NOT_SO_FAST = 'You are going too fast, so I skipped that one. Try again in a minute.';

const submission = (n: number) => ({
  type: 'view_submission',
  team: { id: 'T1' },
  user: { id: 'U1' },
  trigger_id: `1.${n}`,
  view: {
    id: `V${n}`,
    type: 'modal',
    callback_id: 'issue:attach',
    private_metadata: JSON.stringify({ issueId: 'none', channel: 'C1' }),
    state: { values: { number: { number: { value: '12' } } } },
  },
});

const typing = () => ({
  type: 'block_actions',
  team: { id: 'T1' },
  user: { id: 'U1' },
  trigger_id: '1.1',
  actions: [{ type: 'plain_text_input', action_id: actionIds.typePatterns, block_id: 'b', action_ts: '1' }],
});

const by = { team: { id: 'T1' }, user: { id: 'U1' }, trigger_id: '1.2.3' };
const openSettings = {
  type: 'button',
  action_id: actionIds.openSettings,
  block_id: 'b',
  value: 'C1',
  action_ts: '1',
};

describe('somebody who does more than 60 things in a minute', () => {
  it('is told so once, only they are, and nothing more is done for them until the next minute', async () => {
    const l = await listening();
    const { url, sent } = await responseAddress();
    const ask = (user = 'U1') => l.give(command('/issue', 'help', { response_url: url, user_id: user }));
    for (let n = 0; n < 60; n += 1) await ask();
    expect(sent).toHaveLength(60);
    for (let n = 0; n < 5; n += 1) await ask();
    expect(sent.slice(60)).toEqual([{ text: NOT_SO_FAST, response_type: 'ephemeral' }]);
    expect(l.acks).toHaveLength(65);
    await ask('U2');
    expect(sent[61]?.text).not.toBe(NOT_SO_FAST);
    await l.clock.sleep(60_000);
    await ask();
    expect(sent[62]?.text).not.toBe(NOT_SO_FAST);
    expect(await l.metrics.text()).toContain('gumshoe_refused_people_total{reason="too_fast"} 5');
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['a command', () => command('/investigate', '')],
    ['a shortcut', () => ({ type: 'shortcut', callback_id: 'new_issue', ...by })],
    ['a button', () => ({ type: 'block_actions', channel: { id: 'C1' }, actions: [openSettings], ...by })],
  ])('has no more modals opened by %s', async (_what, opening) => {
    const l = await listening();
    l.slack.answers('views.open', { view: { id: 'V1' } });
    l.slack.answers('conversations.info', { channel: { is_member: true, is_private: false } });
    const opened = () => l.slack.calls.filter(({ method }) => method === 'views.open').length;
    for (let n = 0; n < 65; n += 1) await l.give(opening());
    expect(opened()).toBe(60);
  });

  it('has nothing changed by what is beyond', async () => {
    const l = await listening();
    await addCreated(l.store, l.clock.now());
    await l.store.channels.learn('C1', false);
    const press = (name: keyof typeof actionIds) =>
      l.give({
        type: 'block_actions',
        team: { id: 'T1' },
        user: { id: 'U1' },
        channel: { id: 'C1' },
        trigger_id: '1.2.3',
        response_url: 'http://127.0.0.1:9/expired',
        actions: [
          { type: 'button', action_id: actionIds[name], block_id: 'b', value: 'issue-1', action_ts: '1' },
        ],
      });
    for (let n = 0; n < 60; n += 1) await press('openSettings');
    await press('resolve');
    expect(l.service.calls).toEqual([]);
  });

  it('hears at a field of the modal after 20 that were sent, so that what was typed stays', async () => {
    const l = await listening();
    for (let n = 0; n < 21; n += 1) await l.give(submission(n));
    expect(l.acks).toHaveLength(21);
    expect(l.acks[19]).not.toMatchObject({ errors: { number: NOT_SO_FAST } });
    expect(l.acks[20]).toEqual({ response_action: 'errors', errors: { number: NOT_SO_FAST } });
  });

  it('may type, which takes nothing from what they may send', async () => {
    const l = await listening();
    for (let n = 0; n < 310; n += 1) await l.give(typing());
    await l.give(submission(1));
    expect(l.acks.at(-1)).not.toMatchObject({ errors: { number: NOT_SO_FAST } });
  });
});

it('alerts are never counted, however many one tool posts', async () => {
  const l = await listening();
  const text = (n: number) => `[FIRING:1] disk ${n} is full`;
  for (let n = 0; n < 70; n += 1) {
    const ts = `${1_700_000_000 + n}.000100`;
    const bot = { bot_id: 'B0TOOL', subtype: 'bot_message', username: 'Tool', user: 'U1' };
    await l.event({
      type: 'message',
      channel: 'C0WATCHED',
      channel_type: 'channel',
      ts,
      text: text(n),
      ...bot,
    });
  }
  expect((await l.store.alerts.newestIn('C0WATCHED', 100)).length).toBe(70);
});

it('remembers no more people than it must', async () => {
  const allowance = createAllowance({ clock: { now: () => 0 }, replicas: null });
  for (let n = 0; n < 25_000; n += 1) expect(await allowance(`U${n}`, 'act')).toBe('may');
});
