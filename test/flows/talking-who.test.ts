import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { createLogger } from '../../src/bot/shared/log.ts';
import { createSlackClient } from '../../src/bot/slack/client.ts';
import { openDm } from '../../src/bot/slack/open-dm.ts';
import { untilSettled } from '../support/end-state.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import {
  ALICE,
  EVE,
  GINA,
  postsIn,
  press,
  type Thread,
  untilAnswered,
  whisperedTo,
} from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
/** A conversation of Alice's. */
let thread: Thread;

beforeAll(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around);
  thread = await mention(ALICE, 'which issues are open?');
  await untilAnswered(around, thread, /No issue|no open|nothing/i);
});

afterAll(async () => {
  await bot.stop();
  await around.close();
});

async function mention(user: string, question: string): Promise<Thread> {
  const channel = around.workspace.channels.general;
  const text = `<@${around.workspace.botUserId}> ${question}`;
  return { channel, ts: (await around.workspace.post({ channel, user, text })).ts };
}

describe.each([
  ['a guest', GINA, 'Guests cannot use Gumshoe here. Ask a member of this workspace.'],
  [
    'somebody of another organization',
    EVE,
    'People from other organizations cannot use Gumshoe here. Ask a member of this workspace.',
  ],
])('%s', (_, user, refusal) => {
  const told = (where: Thread) => whisperedTo(around, user, where).filter((words) => words.includes(refusal));

  it('who mentions the bot is refused politely, which nobody else sees', async () => {
    const before = told(thread).length;
    const own = await mention(user, 'and for me?');
    await until('they are told', () => told(own).length > before);
    await untilSettled(around);
    expect(postsIn(around, own)).toEqual([]);
    expect(whisperedTo(around, ALICE, own)).toEqual([]);
  });

  it('who replies in a conversation is refused there, once', async () => {
    const inThread = () =>
      around.workspace
        .messages(thread.channel, thread.ts)
        .filter(({ ephemeral_to }) => ephemeral_to === user);
    for (const text of ['may I ask too?', 'and now?']) {
      await around.workspace.post({ ...thread, user, text, thread_ts: thread.ts });
    }
    await until('they are told', () => inThread().length > 0);
    await untilSettled(around);
    expect(inThread().map(({ text }) => text)).toEqual([refusal]);
    expect(postsIn(around, thread)).toHaveLength(1);
  });

  it('who uses /ask or a button under an answer is refused, and nothing changes', async () => {
    const { channel } = thread;
    const before = told(thread).length;
    const [answer] = postsIn(around, thread);
    if (!answer) throw new Error('there is an answer');
    await around.workspace.command({ as: user, channel, command: '/ask', text: 'me too?' });
    await until('they are told', () => told(thread).length === before + 1);
    await press(around, user, answer, 'answer:stop-listening');
    await until('they are told again', () => told(thread).length === before + 2);
    await untilSettled(around);
    expect(postsIn(around, thread)).toHaveLength(1);
    expect(around.workspace.messages(channel).filter(({ text }) => text.includes('me too?'))).toEqual([]);
  });

  it('gets no answer in direct messages either', async () => {
    const { apiUrl, botToken: token } = around.workspace;
    const client = createSlackClient({ token, apiUrl, log: createLogger('silent') });
    const channel = (await openDm(client, user)) ?? '';
    const { ts } = await around.workspace.post({ channel, user, text: 'and here?' });
    const own = { channel, ts };
    await until('they are told', () => told(own).length > 0);
    await untilSettled(around);
    expect(postsIn(around, own)).toEqual([]);
  });
});
