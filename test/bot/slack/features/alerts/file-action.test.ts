import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import { theIssue } from '../../../../support/issues.ts';
import { command } from '../../support/command.ts';
import { listening, responseAddress } from '../../support/listening.ts';

const CHANNEL = 'C0WATCHED';
const TS = '10.000000';

/** A channel that only suggests, in which an alert fired. */
async function suggesting(options: Parameters<typeof listening>[0] = {}) {
  const l = await listening(options);
  const { settings } = await l.store.channels.get(CHANNEL);
  await l.store.channels.watch(CHANNEL, { ...settings, mode: 'suggest' }, '1.000000');
  const alert = { type: 'message', subtype: 'bot_message', username: 'Tool', bot_id: 'B0TOOL' };
  await l.event({ ...alert, channel: CHANNEL, ts: TS, text: '[FIRING:1] disk is full' });
  l.woken.length = 0;
  const { url, sent } = await responseAddress();
  const press = (more: Record<string, unknown> = {}, value: unknown = `${CHANNEL}:${TS}`) =>
    l.give({
      type: 'block_actions',
      team: { id: 'T1', domain: 'acme' },
      user: { id: 'U1', name: 'alice' },
      channel: { id: CHANNEL, name: 'alerts' },
      container: { type: 'message', is_ephemeral: false },
      trigger_id: '1.2.3',
      response_url: url,
      actions: [{ type: 'button', action_id: actionIds.fileIt, block_id: 'b', value, action_ts: '1.0' }],
      ...more,
    });
  const filed = () => l.store.issues.pending(l.clock.now(), 9);
  const suggestion = () => l.store.outbox.get(`suggestion:${CHANNEL}:${TS}`);
  return { ...l, sent, press, filed, suggestion };
}

describe('File it', () => {
  it('files the alert in its thread, and has the suggestion say so', async () => {
    const s = await suggesting();
    expect(await s.filed()).toEqual([]);
    await s.press();
    const [issue] = await s.filed();
    expect(issue).toMatchObject({ channel: CHANNEL, threadTs: TS, requestedBy: 'U1' });
    expect(await s.suggestion()).toMatchObject({ issueId: issue?.id, wanted: 2 });
    expect(s.woken).toEqual(['filed', 'outbox', 'sessions', 'timers']);
    expect(s.sent).toEqual([]);
  });

  it('files nothing for who has filed as many as they may within the hour, and tells them alone', async () => {
    const s = await suggesting({ filePerUserHour: 1 });
    await s.give(command('/investigate', 'checkout is slow', { user_id: 'U1' }));
    await s.press();
    expect(s.sent).toMatchObject([
      {
        text: expect.stringMatching(/^You have filed 1 issue in the last hour/u),
        response_type: 'ephemeral',
      },
    ]);
    expect(await s.filed()).toHaveLength(1);
    expect(await s.suggestion()).toMatchObject({ issueId: null });
  });

  it('pressed by a second person tells them that it is filed already', async () => {
    const s = await suggesting();
    await s.press();
    await s.press({ user: { id: 'U2', name: 'bob' } });
    expect(s.sent.map(({ text }) => text)).toEqual([expect.stringMatching(/^Already filed/)]);
    expect(await s.filed()).toHaveLength(1);
  });

  it('is refreshed once the issue has its number', async () => {
    const s = await suggesting();
    await s.press();
    const [issue] = await s.filed();
    await s.store.outbox.refreshCards(issue?.id ?? '');
    expect(await s.suggestion()).toMatchObject({ wanted: 3 });
  });

  it.each([
    ['of another channel', { channel: { id: 'C2', name: 'x' } }, undefined],
    ['without a value', {}, 7],
    ['of an unknown message', {}, `${CHANNEL}:11.000000`],
  ])('%s files nothing', async (_what, more, value) => {
    const s = await suggesting();
    await s.press(more, value ?? `${CHANNEL}:${TS}`);
    expect(s.sent.map(({ text }) => text)).toEqual([expect.stringMatching(/^I no longer have this message/)]);
    expect(await s.filed()).toEqual([]);
  });

  it('as an offer to one person goes away; that its address has expired hinders nothing', async () => {
    const s = await suggesting();
    const container = { type: 'message', is_ephemeral: true };
    await s.press({ container, response_url: 'http://127.0.0.1:9/expired' });
    const [issue] = await s.filed();
    expect(await theIssue(s.store, issue?.id)).toMatchObject({ requestedBy: 'U1' });
  });
});
