import { describe, expect, it } from 'vitest';
import { addCreated } from '../../../../support/issues.ts';
import { listening } from '../../support/listening.ts';

async function world() {
  const l = await listening();
  await addCreated(l.store, 0, { number: 12 });
  await l.store.results.save('issue-1', 1, '{}', 0);
  await l.store.channels.learn('C1', true);
  const conversation = await l.store.conversations.start({
    id: 'k1',
    channel: 'C1',
    threadTs: '1.0',
    issueId: 'issue-1',
    startedBy: 'U1',
    createdAt: 0,
  });
  await l.store.questions.add({
    id: 'C1:5.0',
    conversation: conversation.id,
    asker: 'U1',
    text: 'why?',
    createdAt: 0,
  });
  const press = (value: string, more: { user?: string; channel?: string; action?: string } = {}) =>
    l.give({
      type: 'block_actions',
      team: { id: 'T1', domain: 'acme' },
      user: { id: more.user ?? 'U1', name: 'alice' },
      channel: { id: more.channel ?? 'C1', name: 'alerts' },
      container: { type: 'message', message_ts: '2.0' },
      message: { type: 'message', ts: '2.0', thread_ts: '1.0' },
      trigger_id: '1.2.3',
      response_url: 'http://127.0.0.1:9/expired',
      actions: [
        {
          type: 'feedback_buttons',
          action_id: more.action ?? 'vote:cast',
          block_id: 'b',
          value,
          action_ts: '1',
        },
      ],
    });
  return {
    ...l,
    press,
    count: (channel = 'C1') => l.store.votes.countIn(channel, 0, Number.MAX_SAFE_INTEGER),
    said: () => l.slack.calls.filter(({ method }) => method === 'chat.postEphemeral').map(({ args }) => args),
  };
}

describe('👍 and 👎', () => {
  it('count under an answer too, and from ordinary buttons', async () => {
    const w = await world();
    await w.press('up:answer:C1:5.0', { action: 'vote:up' });
    await w.press('down:result:issue-1:1', { action: 'vote:down' });
    expect(await w.count()).toEqual({ up: 1, down: 1 });
  });

  it.each([
    ['of a version that there is not', 'up:result:issue-1:2'],
    ['of an issue that there is not', 'up:result:issue-9:1'],
    ['of a question that there is not', 'up:answer:C1:9.9'],
    ['that is none', 'sideways:result:issue-1:1'],
  ])('%s does not count', async (_, value) => {
    const w = await world();
    await w.press(value);
    expect(await w.count()).toEqual({ up: 0, down: 0 });
    expect(w.said()).toMatchObject([{ text: expect.stringMatching(/cannot count your vote/) }]);
  });

  it('of a public channel count for it, wherever its results are shown', async () => {
    const w = await world();
    await w.store.channels.learn('C1', false);
    await w.press('up:result:issue-1:1', { channel: 'C2' });
    expect([await w.count('C1'), await w.count('C2')]).toEqual([
      { up: 1, down: 0 },
      { up: 0, down: 0 },
    ]);
  });
});
