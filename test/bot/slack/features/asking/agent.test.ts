import { describe, expect, it } from 'vitest';
import { addCreated } from '../../../../support/issues.ts';
import { talking } from '../../support/talking.ts';

type Talking = Awaited<ReturnType<typeof talking>>;

const CHANNEL = 'slack#/types/channel_id';
const MESSAGE = 'slack#/types/message_context';

const looking = (...channels: string[]) => ({
  entities: channels.map((value) => ({ type: CHANNEL, value, team_id: 'T1' })),
});

/** The first prompts of each call so far, with the place that they were for. */
function suggested({ slack }: Talking) {
  return slack.calls
    .filter(({ method }) => method === 'assistant.threads.setSuggestedPrompts')
    .map(({ args }) => {
      const [{ title }] = JSON.parse(args.prompts ?? '[]');
      return { channel: args.channel_id, thread: args.thread_ts ?? null, first: title };
    });
}

/** Opens the app: its Messages tab, unless told. */
const opens = (t: Talking, more: Record<string, unknown> = {}) =>
  t.event({ type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'messages', ...more });

/** Somebody looks at something else; Slack names them beside the event. */
const looksAt = (t: Talking, context: object, user = 'U1') =>
  t.give({
    type: 'event_callback',
    team_id: 'T1',
    api_app_id: 'A1',
    event_id: `Ev${JSON.stringify(context)}`,
    authorizations: [{ user_id: user, is_bot: false }],
    event: { type: 'app_context_changed', context },
  });

async function withIssues(...channels: string[]): Promise<Talking> {
  const t = await talking();
  for (const [at, channel] of channels.entries()) {
    const number = at + 1;
    const id = `issue-${number}`;
    await t.store.channels.learn(channel, false);
    await addCreated(t.store, t.clock.now() + number, {
      id,
      number,
      title: `Trouble ${number}`,
      channel,
      identity: id,
    });
  }
  return t;
}

const about = (number: number) => `What do we know about #${number}? Trouble ${number}`;

describe('the Messages tab, opened', () => {
  it('suggests questions about the open issues at its top, those of the channel that is looked at first', async () => {
    const t = await withIssues('C1', 'C2');
    await opens(t, { context: looking('C1') });
    await opens(t, { context: looking('C2', 'C1') });
    expect(suggested(t)).toEqual([
      { channel: 'D1', thread: null, first: about(1) },
      { channel: 'D1', thread: null, first: about(2) },
    ]);
  });

  it('has the most severe issues first, then the newest, and none that is muted, resolved or not filed yet', async () => {
    const t = await withIssues('C1', 'C1', 'C1', 'C1', 'C1', 'C1');
    const { issues } = t.store;
    await issues.rewrite('issue-2', { severity: 'high' });
    await issues.rewrite('issue-4', { status: 'muted' });
    await issues.rewrite('issue-5', { status: 'resolved' });
    await issues.rewrite('issue-6', { state: 'failed' });
    await opens(t);
    const prompts = JSON.parse(t.slack.calls[0]?.args.prompts ?? '[]');
    expect(prompts.map(({ title }: { title: string }) => title)).toEqual([
      about(2),
      about(3),
      about(1),
      'What is firing right now?',
    ]);
  });

  it('follows a person who looks elsewhere, once for each change, and within the hour', async () => {
    const t = await withIssues('C1', 'C2');
    await looksAt(t, looking('C1'));
    await opens(t);
    await looksAt(t, looking('C1'));
    await looksAt(t, looking('C2'));
    await looksAt(t, looking('C2', 'C1'));
    await t.clock.sleep(60 * 60_000);
    await looksAt(t, looking('C1'));
    expect(suggested(t).map(({ first }) => first)).toEqual([about(2), about(1), about(2)]);
  });

  it('names no issue of a private channel that the person is not in', async () => {
    const t = await withIssues('C1');
    await t.store.channels.learn('C1', true);
    t.slack.answers('conversations.members', { members: ['U9'] });
    await opens(t, { context: looking('C1') });
    expect(suggested(t).map(({ first }) => first)).toEqual(['What is firing right now?']);
  });

  it('of an app that is no agent is asked for prompts once an hour, and people hear nothing of it', async () => {
    const t = await withIssues('C1');
    t.slack.next('assistant.threads.setSuggestedPrompts', { error: 'invalid_arguments' });
    await opens(t);
    await opens(t);
    await t.clock.sleep(60 * 60_000);
    await opens(t);
    expect(t.slack.methods()).toEqual([
      'assistant.threads.setSuggestedPrompts',
      'assistant.threads.setSuggestedPrompts',
    ]);
  });

  it.each([
    { context: null },
    { context: { entities: 'none' } },
    {
      context: {
        entities: [
          { type: 'slack#/types/canvas_id', value: 'F1' },
          { type: CHANNEL, value: 7 },
        ],
      },
    },
  ])('with a context that says nothing ($context) suggests all the same', async (more) => {
    const t = await withIssues('C1');
    await opens(t, more);
    expect(suggested(t)).toHaveLength(1);
  });
});

describe('a question in the Messages tab', () => {
  it.each([
    ['a channel', looking('C1'), { channel: 'C1', messageTs: null }],
    [
      'a message of the channel',
      {
        entities: [
          ...looking('C1').entities,
          { type: MESSAGE, value: { channel_id: 'C1', message_ts: '1.5' } },
        ],
      },
      { channel: 'C1', messageTs: '1.5' },
    ],
    ['the direct message itself', looking('D1'), null],
    ['nothing', {}, null],
  ])('is kept with what its asker looks at: %s', async (_what, app_context, kept) => {
    const t = await talking();
    await t.dm('what is this?', { app_context });
    const { lookingAt = null } = (await t.question(60, 'D1')) ?? {};
    expect(lookingAt === null ? null : JSON.parse(lookingAt)).toEqual(kept);
  });
});

describe('Slack’s stop button', () => {
  const stops = (t: Talking, more: Record<string, unknown> = {}) =>
    t.event({
      type: 'agent_session_stopped',
      channel: 'C1',
      user: 'U2',
      thread_ts: t.root,
      streaming_message_ts: [],
      event_ts: t.ts(10),
      ...more,
    });

  it('ends what is being answered in its thread, from anybody who may ask', async () => {
    const t = await talking();
    await t.begin();
    await stops(t);
    expect(await t.question(600, 'C1')).toMatchObject({ state: 'stopped', stoppedBy: 'U2' });
    expect(t.woken).toContain('asked');
  });

  it('ends nothing that was asked after it, however late it comes', async () => {
    const t = await talking();
    await t.begin();
    await stops(t, { event_ts: t.ts(700) });
    expect(await t.question(600, 'C1')).toMatchObject({ stoppedBy: null });
  });

  it('ends a question that comes only after it', async () => {
    const t = await talking();
    await stops(t);
    await t.begin();
    expect(await t.question(600, 'C1')).toMatchObject({ stoppedBy: 'U2' });
  });

  it('under an investigation says that it goes on, and is remembered', async () => {
    const t = await talking();
    await addCreated(t.store, t.clock.now(), { channel: 'C1', threadTs: t.root, status: 'investigating' });
    const thread = { channel: 'C1', threadTs: t.root };
    await t.store.sessions.notifying(thread, 'processing', t.clock.now());
    await stops(t);
    expect(t.ephemerals()).toEqual([
      {
        channel: 'C1',
        user: 'U2',
        thread: t.root,
        text: 'An investigation cannot be stopped. It goes on, and its result will appear in this thread.',
      },
    ]);
    expect(await t.store.sessions.get(thread)).toMatchObject({ stoppedAt: t.clock.now() - 10_000 });
  });

  it('with nothing to end is left alone', async () => {
    const t = await talking();
    await stops(t);
    await stops(t, { thread_ts: 'never' });
    expect(t.slack.calls).toEqual([]);
  });
});

it('a title that somebody gave a session is kept in mind', async () => {
  const t = await talking();
  const titled = { type: 'agent_session_title_changed', channel: 'D1', user: 'U1', title: 'Checkout' };
  await t.event({ ...titled, thread_ts: t.root, event_ts: t.ts(1) });
  expect(await t.store.sessions.get({ channel: 'D1', threadTs: t.root })).toMatchObject({
    named: true,
    status: 'active',
  });
});
