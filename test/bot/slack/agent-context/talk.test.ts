import { describe, expect, it } from 'vitest';
import { conversation, message, NOW, question, ROOT, reading } from './support.ts';

const talkOf = async (messages: object[], more: Parameters<typeof reading>[1] = {}) =>
  (await reading(messages, more)).agentContext.talk(conversation, question);

describe('what was said in a thread', () => {
  it('is given oldest first, people as letters in the order in which they appear, tools by their name', async () => {
    const talk = await talkOf([
      message('', 'HighErrorRate on checkout-api', { bot_id: 'B0AM', username: 'Alertmanager' }),
      message('U0BOB', 'I think it began with the deploy'),
      message('U0MARIA', 'No, payments was slow <@U0BOB>\n\nsince 13:40'),
      message('U0BOB', 'Right, thanks'),
    ]);
    expect(talk).toEqual([
      { speaker: 'Alertmanager', text: 'HighErrorRate on checkout-api' },
      { speaker: 'Person A', text: 'I think it began with the deploy' },
      { speaker: 'Person B', text: 'No, payments was slow Person A\nsince 13:40' },
      { speaker: 'Person A', text: 'Right, thanks' },
    ]);
  });

  it('leaves out people of other organizations, people whom Slack does not tell of, us and Slack’s notices', async () => {
    const talk = await talkOf([
      message('U0EVE', 'we see it too'),
      message('U0STRANGE', 'and we'),
      message('U0GUMSHOE', 'the answer', { bot_id: 'B0GUMSHOE' }),
      message('U0BOB', '', { subtype: 'channel_join' }),
      message('USLACKBOT', 'This message was deleted.', { subtype: 'tombstone', hidden: true }),
      message('USLACKBOT', 'a reminder'),
      message('USLACK', 'a reminder'),
      message('U0LI', 'Eve says that <@U0EVE> and U0EVE sees it too, <@U0STRANGE>'),
    ]);
    expect(talk).toEqual([
      { speaker: 'Person A', text: '@someone says that @someone and @someone sees it too, @someone' },
    ]);
  });

  it('ends before the question, however Slack answers', async () => {
    const talk = await talkOf([
      message('U0BOB', 'before'),
      message('U0MARIA', 'the question', { ts: NOW }),
      message('U0BOB', 'after', { ts: '1700010000.000000' }),
    ]);
    expect(talk).toEqual([{ speaker: 'Person A', text: 'before' }]);
  });

  it('is the last thirty messages that count', async () => {
    const messages = Array.from({ length: 60 }, (_, i) => [
      message('U0BOB', `line ${i}`),
      message('U0EVE', `theirs ${i}`),
    ]).flat();
    const talk = await talkOf(
      messages.map((one, i) => ({ ...one, ts: `1700001000.${String(i).padStart(6, '0')}` })),
    );
    expect(talk.map(({ text }) => text)).toEqual(Array.from({ length: 30 }, (_, i) => `line ${i + 30}`));
  });

  it('stays within a size: each message is cut at a word, and of a flood the newest stays', async () => {
    const long = 'many words '.repeat(1_000);
    const talk = await talkOf([
      ...Array.from({ length: 9 }, (_, i) => message('U0BOB', `${i} ${long}`)),
      message('', `${long}`, { bot_id: 'B1', username: 'Tool' }),
    ]);
    expect(talk.map(({ text }) => [text.slice(0, 6), text.length, text.at(-1)])).toEqual([
      ...[4, 5, 6, 7, 8].map((i) => [`${i} many`, 1_998, '…']),
      ['many w', 297, '…'],
    ]);
  });

  it('tells of questions that were answered only as such', async () => {
    const first = message('U0MARIA', 'what broke?');
    const { agentContext, store } = await reading([first, message('U0MARIA', 'never answered')]);
    await store.conversations.start({ ...conversation });
    const id = `C1:${first.ts}`;
    await store.questions.add({
      id,
      conversation: 'c1',
      asker: 'U0MARIA',
      text: 'what broke?',
      createdAt: 1,
    });
    await store.questions.update(id, { state: 'complete', answer: 'payments' }, 2);
    expect(await agentContext.talk(conversation, question)).toEqual([
      { speaker: 'Person A', text: 'never answered' },
    ]);
  });

  it('reads long threads page by page', async () => {
    const { agentContext, slack } = await reading([]);
    slack.answers('conversations.replies', ({ cursor }) =>
      cursor === undefined
        ? { messages: [message('U0BOB', 'one')], response_metadata: { next_cursor: 'p2' } }
        : { messages: [message('U0BOB', 'two')] },
    );
    const talk = await agentContext.talk(conversation, question);
    expect(talk.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(slack.calls.map(({ args }) => args)).toMatchObject([
      { channel: 'C1', ts: ROOT, latest: NOW },
      { channel: 'C1', ts: ROOT, latest: NOW, cursor: 'p2' },
    ]);
  });

  it('is up to the moment of asking where the question is no message', async () => {
    const { agentContext, slack } = await reading([]);
    await agentContext.talk(conversation, { ...question, id: 'step:x:1', writtenAt: 1_700_005_000_123 });
    expect(slack.calls[0]?.args.latest).toBe('1700005000.123000');
  });
});

describe('nothing is fetched', () => {
  it.each<[string, Parameters<typeof reading>[1], object, object]>([
    ['where threads are not shared', { shareThread: false }, {}, {}],
    ['where the question begins the thread', {}, { threadTs: NOW }, {}],
    ['where the answer will begin it', {}, { threadTs: null }, { id: 'command' }],
  ])('%s', async (_where, options, conversed, asked) => {
    const { agentContext, slack } = await reading([message('U0BOB', 'talk')], options);
    const talk = await agentContext.talk({ ...conversation, ...conversed }, { ...question, ...asked });
    expect([talk, slack.calls]).toEqual([[], []]);
  });
});

describe('where Slack does not give the thread', () => {
  it('at once but soon, it is asked again', async () => {
    const { agentContext, slack, clock } = await reading([message('U0BOB', 'talk')]);
    slack.next('conversations.replies', { status: 500 }, { status: 429, retryAfter: 1 });
    const talk = agentContext.talk(conversation, question);
    for (const ms of [500, 1_000]) {
      await expect.poll(() => clock.sleeping()).toBe(2);
      clock.advance(ms);
    }
    expect(await talk).toEqual([{ speaker: 'Person A', text: 'talk' }]);
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof reading>>['slack']['next']>[1], string]>([
    ['its pace allows it only later', { status: 429, retryAfter: 3 }, 'slow'],
    ['it refuses', { error: 'not_in_channel' }, 'failed'],
  ])('as %s, the question goes without, at once', async (_why, fault, outcome) => {
    const { agentContext, slack, metrics, logged } = await reading([message('U0BOB', 'talk')]);
    slack.next('conversations.replies', fault);
    expect(await agentContext.talk(conversation, question)).toEqual([]);
    expect(await metrics.text()).toContain(
      `gumshoe_agent_context_reads_total{kind="thread",outcome="${outcome}"} 1`,
    );
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'sending a question without its thread', channel: 'C1', thread: ROOT },
    ]);
  });

  it('within three seconds, the question goes without', async () => {
    const { agentContext, slack, clock, metrics } = await reading([]);
    slack.answers('conversations.replies', () => new Promise(() => undefined));
    const talk = agentContext.talk(conversation, question);
    clock.advance(2_999);
    expect(await Promise.race([talk, Promise.resolve('waiting')])).toBe('waiting');
    clock.advance(1);
    expect(await talk).toEqual([]);
    expect(await metrics.text()).toContain(
      'gumshoe_agent_context_reads_total{kind="thread",outcome="slow"} 1',
    );
  });
});
