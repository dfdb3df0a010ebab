import { describe, expect, it } from 'vitest';
import { addCreated } from '../../../../support/issues.ts';
import { talking } from '../../support/talking.ts';

type Talking = Awaited<ReturnType<typeof talking>>;

const MINUTE = 60_000;

/** An event of the pane, as Slack sends it. */
const pane = (
  t: Talking,
  { type = 'assistant_thread_started', user = 'U1', context = {} }: Record<string, unknown> = {},
) =>
  t.event({
    type,
    assistant_thread: { user_id: user, context, channel_id: 'D1', thread_ts: t.root },
    event_ts: t.root,
  });

/** The titles of the prompts of each call so far. */
function suggested({ slack }: Talking): string[][] {
  return slack.calls
    .filter(({ method }) => method === 'assistant.threads.setSuggestedPrompts')
    .map(({ args }) => JSON.parse(args.prompts ?? '[]').map(({ title }: { title: string }) => title));
}

/** An open issue of a channel. */
async function issue(t: Talking, number: number, channel: string, severity = 'medium', minutesAgo = number) {
  const title = `Trouble ${number}`;
  const at = t.clock.now() - minutesAgo * MINUTE;
  const id = `issue-${number}`;
  await addCreated(t.store, at, { id, number, title, channel, severity, identity: id });
}

describe('the assistant pane, opened', () => {
  it('suggests questions about the open issues, the most severe first, then the newest', async () => {
    const t = await talking();
    await t.store.channels.learn('C1', false);
    await issue(t, 1, 'C1', 'low', 1);
    await issue(t, 2, 'C1', 'high', 30);
    await issue(t, 3, 'C1', 'medium', 20);
    await issue(t, 4, 'C1', 'medium', 10);
    await pane(t);
    expect(suggested(t)).toEqual([
      [
        'What do we know about #2? Trouble 2',
        'What do we know about #4? Trouble 4',
        'What do we know about #3? Trouble 3',
        'What is firing right now?',
      ],
    ]);
    expect(t.slack.calls[0]?.args).toMatchObject({
      channel_id: 'D1',
      thread_ts: t.root,
      title: 'Ask me about open issues',
    });
  });

  it('begins with those of the channel that the person is looking at', async () => {
    const t = await talking();
    for (const channel of ['C1', 'C2']) await t.store.channels.learn(channel, false);
    await issue(t, 1, 'C1', 'high');
    await issue(t, 2, 'C2', 'low');
    await pane(t, { context: { channel_id: 'C2', team_id: 'T1', enterprise_id: null } });
    expect(suggested(t)[0]?.slice(0, 2)).toEqual([
      'What do we know about #2? Trouble 2',
      'What do we know about #1? Trouble 1',
    ]);
  });

  it('follows them when they look elsewhere, until something was asked', async () => {
    const t = await talking();
    for (const channel of ['C1', 'C2']) await t.store.channels.learn(channel, false);
    await issue(t, 1, 'C1');
    await issue(t, 2, 'C2');
    const look = (channel_id: string) =>
      pane(t, { type: 'assistant_thread_context_changed', context: { channel_id } });
    await look('C2');
    await look('C1');
    await t.dm('what is slow?', { thread_ts: t.root });
    await look('C2');
    expect(suggested(t).map(([first]) => first)).toEqual([
      'What do we know about #2? Trouble 2',
      'What do we know about #1? Trouble 1',
    ]);
  });

  it('names no issue of a private channel that the person is not in, though they say that they look at it', async () => {
    const t = await talking();
    t.slack.answersWith('conversations.members', ({ channel }) => ({
      members: channel === 'C2' ? ['U1'] : ['U9'],
    }));
    await issue(t, 1, 'C1');
    await issue(t, 2, 'C2');
    await pane(t, { context: { channel_id: 'C1' } });
    expect(suggested(t)[0]).toEqual([
      'What do we know about #2? Trouble 2',
      'What is firing right now?',
      'What changed recently?',
      'How healthy are the services?',
    ]);
  });

  it('leaves out what is muted, resolved, or not filed yet', async () => {
    const t = await talking();
    await t.store.channels.learn('C1', false);
    await issue(t, 1, 'C1');
    await issue(t, 2, 'C1');
    await issue(t, 3, 'C1');
    await t.store.issues.rewrite('issue-1', { status: 'muted' });
    await t.store.issues.rewrite('issue-2', { status: 'resolved' });
    await t.store.issues.rewrite('issue-3', { state: 'failed' });
    await pane(t);
    expect(suggested(t)[0]?.[0]).toBe('What is firing right now?');
    expect(t.slack.calls[0]?.args.title).toBe('Ask me about your systems');
  });

  it('suggests nothing to a guest', async () => {
    const t = await talking();
    await pane(t, { user: 'U0GUEST' });
    expect(t.slack.calls).toEqual([]);
  });

  it('that Slack refuses is no failure, and is counted', async () => {
    const t = await talking();
    t.slack.next('assistant.threads.setSuggestedPrompts', { error: 'missing_scope' });
    await pane(t);
    await pane(t);
    const counted = (await t.metrics.text()).match(/^gumshoe_slack_calls_total\{method="assistant.*$/gmu);
    expect(counted).toEqual([
      'gumshoe_slack_calls_total{method="assistant.threads.setSuggestedPrompts",outcome="missing_scope"} 1',
      'gumshoe_slack_calls_total{method="assistant.threads.setSuggestedPrompts",outcome="ok"} 1',
    ]);
  });

  it.each([
    ['without a thread', {}],
    ['with a thread of nobody', { assistant_thread: { channel_id: 'D1', thread_ts: '1.0' } }],
  ])('%s is left alone', async (_how, event) => {
    const t = await talking();
    await t.event({ type: 'assistant_thread_started', ...event });
    expect(t.slack.calls).toEqual([]);
  });
});

describe('a thread of the pane', () => {
  const titles = ({ slack }: Talking) =>
    slack.calls.flatMap(({ method, args }) => (method === 'assistant.threads.setTitle' ? [args] : []));

  it('is called by its first question, and by no later one', async () => {
    const t = await talking();
    await t.dm('what is slow?', { thread_ts: t.root });
    await t.dm('and since when?', { thread_ts: t.root, ts: t.ts(50) });
    expect(titles(t)).toEqual([{ channel_id: 'D1', thread_ts: t.root, title: 'what is slow?' }]);
    expect((await t.question(50, 'D1'))?.text).toBe('and since when?');
  });

  it('whose title Slack refuses has its question asked all the same', async () => {
    const t = await talking();
    t.slack.next('assistant.threads.setTitle', { error: 'unknown_method' });
    await t.dm('what is slow?', { thread_ts: t.root });
    expect(await t.question(60, 'D1')).toMatchObject({ state: 'queued' });
    expect(t.woken).toEqual(['asked', 'outbox']);
  });

  it('is none that a message at top level begins, nor one in a channel', async () => {
    const t = await talking();
    await t.dm('what is slow?');
    await t.mention('<@U0BOT> what is slow?', { thread_ts: t.root });
    expect(titles(t)).toEqual([]);
  });
});
