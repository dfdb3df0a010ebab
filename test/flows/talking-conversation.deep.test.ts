import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { type Agent, startAgent } from '../support/agent.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { rowsOf } from '../support/program-database.ts';
import {
  ALICE,
  BOB,
  CAROL,
  type Thread,
  untilAnswered,
  untilAnswers,
  untilPosted,
} from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let agent: Agent;
let bot: Bot | null = null;

beforeAll(async () => {
  // What is not taken at once is lost, as Slack loses it to an app that is down for hours.
  around = await startSurroundings('socket', { retryDelays: [50, 50, 50] });
  agent = await startAgent(around.service.url);
  await start();
});

afterAll(async () => {
  await stop();
  await agent.close();
  await around.close();
});

async function start(options: Parameters<typeof startBotOn>[1] = {}): Promise<void> {
  bot = await startBotOn(around, { ...options, env: { ISSUE_SERVICE_URL: agent.url, ...options.env } });
}

async function stop(): Promise<void> {
  await bot?.stop();
  bot = null;
}

async function mention(question: string, user = ALICE, channel = around.workspace.channels.general) {
  const text = `<@${around.workspace.botUserId}> ${question}`;
  return { channel, ts: (await around.workspace.post({ channel, user, text })).ts };
}

async function reply({ channel, ts }: Thread, text: string, user = ALICE): Promise<void> {
  await around.workspace.post({ channel, user, text, thread_ts: ts });
}

/** A thread with one question and its answer. */
async function conversation(question: string): Promise<Thread> {
  const thread = await mention(question);
  (await agent.asked(question)).end({ answer: `That was “${question}”.`, conversation_id: CONVERSATION });
  await untilAnswered(around, thread, `That was “${question}”.`);
  return thread;
}

describe('the conversation of a thread', () => {
  it('survives a restart: it is stored with its thread, its issue, who asked and when', async () => {
    const began = Date.now();
    const thread = await conversation('shall we meet again?');
    const other = await mention('and who are you?');
    const alone = await agent.asked('and who are you?');
    expect(alone.conversationId).toBeUndefined();
    alone.end({ answer: 'Nobody.', conversation_id: OTHER });
    await untilAnswered(around, other, 'Nobody.');
    await stop();
    await start();
    await reply(thread, 'so soon?', BOB);
    const again = await agent.asked('so soon?');
    expect(again).toMatchObject({ question: 'so soon?', conversationId: CONVERSATION });
    again.end({ answer: 'Yes.', conversation_id: CONVERSATION });
    await untilAnswered(around, thread, 'Yes.');

    const where = 'FROM conversations WHERE thread_ts = ?';
    const [row] = await rowsOf(
      around,
      `SELECT channel, thread_ts, issue_id, started_by, conversation_id, listening ${where}`,
      thread.ts,
    );
    expect(row).toEqual({
      channel: thread.channel,
      thread_ts: thread.ts,
      issue_id: null,
      started_by: ALICE,
      conversation_id: CONVERSATION,
      listening: 1,
    });
    const asked = `SELECT asker, text, state, written_at >= ${began - 1_000} AS in_time FROM questions
      WHERE conversation = (SELECT id ${where}) ORDER BY created_at`;
    expect(await rowsOf(around, asked, thread.ts)).toEqual([
      { asker: ALICE, text: 'shall we meet again?', state: 'complete', in_time: 1 },
      { asker: BOB, text: 'so soon?', state: 'complete', in_time: 1 },
    ]);
  });

  it('queues what is asked in it meanwhile, which is shown; each is answered in its order', async () => {
    const thread = await mention('who is first here?');
    const first = await agent.asked('who is first here?');
    first.say('I am ');
    await reply(thread, 'who is second here?', CAROL);
    await untilPosted(around, thread, '⏳ Queued: 1 question in this thread is answered first.');
    await reply(thread, 'who is third here?');
    await untilPosted(around, thread, '⏳ Queued: 2 questions in this thread are answered first.');
    expect(agent.turns.some(({ question }) => question.includes('who is second here?'))).toBe(false);
    first.end('I am first.');
    const second = await agent.asked('who is second here?');
    expect(agent.turns.some(({ question }) => question.includes('who is third here?'))).toBe(false);
    second.end('I am second.');
    (await agent.asked('who is third here?')).end('I am third.');
    await untilAnswers(around, thread, 'I am first.', 'I am second.', 'I am third.');
  });

  it('runs beside those of other threads, within a limit; who waits for a place is told so', async () => {
    const threads: Thread[] = [];
    for (const n of [1, 2, 3, 4]) {
      threads.push(await mention(`side by side ${n}?`));
      await until('it is asked beside the others', () =>
        agent.turns.some(({ question }) => question === `side by side ${n}?`),
      );
    }
    const fifth = await mention('side by side 5?');
    await untilPosted(around, fifth, '⏳ Waiting for a free slot: busy with other threads.');
    expect(agent.turns.some(({ question }) => question === 'side by side 5?')).toBe(false);
    (await agent.asked('side by side 3?')).end('The third is the first.');
    (await agent.asked('side by side 5?')).end('The fifth is the second.');
    await untilAnswered(around, fifth, 'The fifth is the second.');
    for (const n of [1, 2, 4]) (await agent.asked(`side by side ${n}?`)).end('Here too.');
    for (const thread of threads) await untilAnswered(around, thread, /Here too\.|third/);
  });
});

describe('the hourly ceilings', () => {
  it('of a person and of a channel answer with a plain sentence', async () => {
    const { incidents } = around.workspace.channels;
    const thread = await mention('may I?', BOB, incidents);
    (await agent.asked('may I?')).end('You may.');
    await untilAnswered(around, thread, 'You may.');
    const asked = agent.turns.length;
    await stop();
    await start({ env: { ASK_PER_USER_HOUR: '2' } });
    // Asked by Bob so far: here, and in a thread.
    await reply(thread, 'may I again?', BOB);
    await untilAnswered(
      around,
      thread,
      /⚠️ You have asked 2 questions in the last hour, the limit per person \(ASK_PER_USER_HOUR\)\. Try again in \d+ minutes\./,
    );
    await stop();
    await start({ env: { ASK_PER_CHANNEL_HOUR: '1' } });
    await reply(thread, 'may I instead?', CAROL);
    await untilAnswered(
      around,
      thread,
      /⚠️ 1 question was asked here in the last hour, the limit per channel \(ASK_PER_CHANNEL_HOUR\)\. Try again in \d+ minutes\./,
    );
    expect(agent.turns).toHaveLength(asked);
  });
});

const CONVERSATION = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
