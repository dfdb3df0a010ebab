import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { aWhile } from '../support/a-while.ts';
import { type Agent, startAgent, type Turn } from '../support/agent.ts';
import { wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type SlackProxy, startSlackProxy } from '../support/proxies/slack-proxy.ts';
import {
  ALICE,
  ALICES_DM,
  BOB,
  hasButton,
  postsIn,
  press,
  type Thread,
  untilAnswered,
  untilPosted,
  whisperedTo,
} from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let agent: Agent;
let slack: SlackProxy;
let bot: Bot;
/** Asked before all else, so that their time passes beside the other tests. */
let silent: Thread;
let halting: Thread;

beforeAll(async () => {
  around = await startSurroundings('socket');
  agent = await startAgent(around.service.url);
  slack = await startSlackProxy(around.workspace.apiUrl);
  const env = { ISSUE_SERVICE_URL: agent.url, SLACK_API_URL: slack.apiUrl, ASK_TIMEOUT_SECONDS: '20' };
  bot = await startBotOn(around, { env });
  silent = await ask('is it slow?');
  halting = await ask('does it hang?');
  (await agent.asked('does it hang?')).say('The first half');
});

afterEach(() => {
  slack.fault = () => null;
});

afterAll(async () => {
  await bot.stop();
  await slack.close();
  await agent.close();
  await around.close();
});

/** Asks in #general by a mention; the answer stands in its thread. */
async function ask(question: string, as = ALICE): Promise<Thread> {
  const channel = around.workspace.channels.general;
  const text = `<@${around.workspace.botUserId}> ${question}`;
  const { ts } = await around.workspace.post({ channel, user: as, text });
  return { channel, ts };
}

/** The one message under a question, once it says what failed and offers to try again. */
async function untilFailed(thread: Thread, sentence: RegExp) {
  const message = await untilAnswered(around, thread, sentence);
  expect(postsIn(around, thread)).toHaveLength(1);
  expect(hasButton(message, 'answer:try-again')).toBe(true);
  return message;
}

/** *Try again* asks the same once more, and what comes then stands in the message that failed. */
async function tryAgain(thread: Thread, words: string, as = ALICE): Promise<Turn> {
  const [message] = postsIn(around, thread);
  if (!message) throw new Error('there is no answer');
  await press(around, as, message, 'answer:try-again');
  return agent.asked(words);
}

async function untilHealed(thread: Thread, whole: string): Promise<string> {
  const message = await untilAnswered(around, thread, whole);
  expect(postsIn(around, thread)).toHaveLength(1);
  expect(hasButton(message, 'answer:try-again')).toBe(false);
  expect(wordsOf(message)).not.toContain('⚠️');
  return wordsOf(message);
}

// Each in a thread of its own: they disturb nobody.
describe.concurrent('an answer that fails', () => {
  it('for HTTP 500 says so in one sentence with the request, and *Try again* gets the answer into its place', async () => {
    const thread = await ask('is it 500?');
    (await agent.asked('is it 500?')).refuse(500);
    const failed = await untilFailed(thread, /returned an error/);
    expect(wordsOf(failed)).toContain(
      '⚠️ The investigation service returned an error (HTTP 500). Try again in a few minutes. (request req-500)',
    );
    (await tryAgain(thread, 'is it 500?', BOB)).end('All is well, after all.');
    await untilHealed(thread, 'All is well, after all.');
  });

  it('for HTTP 429 says when to try again', async () => {
    const thread = await ask('is it 429?');
    (await agent.asked('is it 429?')).refuse(429, { 'retry-after': '60' });
    const failed = await untilFailed(thread, /rate-limiting me/);
    expect(wordsOf(failed)).toContain('rate-limiting me. Try again in 60 seconds. (request req-429)');
    (await tryAgain(thread, 'is it 429?')).end('Now there was time.');
    await untilHealed(thread, 'Now there was time.');
  });

  it('for the time being up says so; a second press of *Try again* asks nothing twice', async () => {
    const thread = silent;
    const slow = await agent.asked('is it slow?');
    const failed = await untilFailed(thread, /timed out/);
    expect(slow.isLeft()).toBe(true);
    expect(wordsOf(failed)).toContain('⚠️ The investigation service timed out. Try again');
    const again = await tryAgain(thread, 'is it slow?');
    again.end('It only was slow.');
    await untilHealed(thread, 'It only was slow.');
    await expect(press(around, ALICE, failed, 'answer:try-again')).rejects.toThrow('there is no');
    expect(agent.turns.filter(({ question }) => question.includes('is it slow?'))).toHaveLength(2);
  });

  it('for the time being up in the midst of it keeps what arrived, and marks it', async () => {
    const failed = wordsOf(await untilFailed(halting, /was cut off/));
    expect(failed).toMatch(/The first half\n⚠️ The answer was cut off: it took too long\./);
    (await tryAgain(halting, 'does it hang?')).end('The first half and the second.');
    await untilHealed(halting, 'and the second.');
  });

  it('for a cut stream keeps what arrived, and marks it', async () => {
    const thread = await ask('is it cut?');
    const turn = await agent.asked('is it cut?');
    turn.say('The pool of payments');
    await untilPosted(around, thread, 'The pool of payments');
    turn.say(' is full');
    turn.cut();
    const failedAnswer = await untilFailed(thread, /was cut off/);
    expect(wordsOf(failedAnswer)).toMatch(
      /The pool of payments is full\n⚠️ The answer was cut off: the connection to the investigation service dropped\. Try again to get all of it\./,
    );
    const again = await tryAgain(thread, 'is it cut?');
    await until('the words stay while it is asked again', () => {
      const words = wordsOf(postsIn(around, thread).at(-1) ?? failedAnswer);
      return words.includes('The pool of payments is full') && !words.includes('was cut off');
    });
    again.end('The pool of payments is full: see #1.');
    await untilHealed(thread, 'see #1.');
  });

  it('for an unknown conversation begins a new one, tells it what was asked before, and says so', async () => {
    const thread = await ask('who is first?');
    (await agent.asked('who is first?')).end({ answer: 'You are.', conversation_id: KNOWN });
    await untilAnswered(around, thread, 'You are.');
    await around.workspace.post({ ...thread, user: ALICE, text: 'and who is next?', thread_ts: thread.ts });
    const unknown = await agent.asked('and who is next?');
    expect(unknown).toMatchObject({ question: 'and who is next?', conversationId: KNOWN });
    unknown.refuse(404);
    const anew = await agent.asked('and who is next?');
    expect(anew).toMatchObject({
      question:
        'Asked and answered before:\nQuestion: who is first?\nAnswer: You are.\n\nThe question:\nand who is next?',
      conversationId: undefined,
    });
    anew.end({ answer: 'Bob is.', conversation_id: OTHER });
    const answer = await untilAnswered(around, thread, 'Bob is.');
    expect(wordsOf(answer)).toContain('The service had lost this conversation, so I started a new one.');
    await around.workspace.post({ ...thread, user: ALICE, text: 'and then?', thread_ts: thread.ts });
    const third = await agent.asked('and then?');
    expect(third).toMatchObject({ question: 'and then?', conversationId: OTHER });
    third.end('Nobody.');
    await untilAnswered(around, thread, 'Nobody.');
    expect(postsIn(around, thread)).toHaveLength(3);
  });

  it('for a stream that ends without a word, or with an error of its own, says so', async () => {
    const thread = await ask('is it mute?');
    (await agent.asked('is it mute?')).end('');
    await untilFailed(thread, /⚠️ The agent sent an empty answer|⚠️ .*cannot read/);
    (await tryAgain(thread, 'is it mute?')).end('Not any more.');
    await untilHealed(thread, 'Not any more.');
  });
});

describe('an answer that Slack refuses', () => {
  it('in its channel goes to the asker, who reads why', async () => {
    slack.fault = ({ method, args }) =>
      method === 'chat.postMessage' && args.get('channel') === around.workspace.channels.general
        ? { error: 'restricted_action' }
        : null;
    const thread = await ask('may I read it here?');
    (await agent.asked('may I read it here?')).end('Not there, but here.');
    const inDm = () => around.workspace.messages(ALICES_DM).find((one) => /but here\./.test(wordsOf(one)));
    const answer = await until('the answer is in the DM', inDm);
    expect(wordsOf(answer)).toContain(
      `Slack does not let me post in <#${thread.channel}> (posting is restricted there), so I am answering here.`,
    );
    await aWhile();
    expect(postsIn(around, thread)).toEqual([]);
    expect(whisperedTo(around, ALICE, thread)).toEqual([]);
  });

  it('for its blocks is sent again as plain text', async () => {
    slack.fault = ({ method, args }) =>
      method.startsWith('chat.') && /"type":"markdown"/.test(args.get('blocks') ?? '')
        ? { error: 'invalid_blocks' }
        : null;
    const thread = await ask('are blocks fine?');
    (await agent.asked('are blocks fine?')).end('Plain **words** do.');
    const answer = await untilPosted(around, thread, /Plain \*?\*?words/);
    expect(answer.blocks ?? []).toEqual([]);
    expect(postsIn(around, thread)).toHaveLength(1);
  });

  it('for a time, and then takes, stands there once', async () => {
    const lost = new Set<string>();
    slack.fault = ({ method }) => {
      if (!/^chat\.(?:postMessage|update)$/.test(method) || lost.has(method)) return null;
      lost.add(method);
      return 'answer lost';
    };
    const thread = await ask('did you hear me?');
    (await agent.asked('did you hear me?')).end('I did, once.');
    await untilAnswered(around, thread, 'I did, once.');
    await aWhile();
    expect(lost).toContain('chat.postMessage');
    expect(postsIn(around, thread)).toHaveLength(1);
  });
});

const KNOWN = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
