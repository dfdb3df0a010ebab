import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { aWhile } from '../support/a-while.ts';
import { type Agent, startAgent } from '../support/agent.ts';
import { wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type PassedCall, type SlackProxy, startSlackProxy } from '../support/proxies/slack-proxy.ts';
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
} from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let agent: Agent;
let slack: SlackProxy;
let bot: Bot;
/** Asked before all else, so that its time passes beside the other tests. */
let silent: Thread;

beforeAll(async () => {
  around = await startSurroundings('socket');
  agent = await startAgent(around.service.url);
  slack = await startSlackProxy(around.workspace.apiUrl);
  bot = await startBotOn(around, { env: { ISSUE_SERVICE_URL: agent.url, SLACK_API_URL: slack.apiUrl } });
  silent = await askInChannel('do you stream?');
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

async function askInChannel(question: string): Promise<Thread> {
  const channel = around.workspace.channels.general;
  const text = `<@${around.workspace.botUserId}> ${question}`;
  return { channel, ts: (await around.workspace.post({ channel, user: ALICE, text })).ts };
}

async function askInDm(question: string): Promise<Thread> {
  const { ts } = await around.workspace.post({ channel: ALICES_DM, user: ALICE, text: question });
  return { channel: ALICES_DM, ts };
}

/** The calls of some methods about one thread or one message in it. */
function callsAbout(thread: Thread, methods: RegExp): PassedCall[] {
  const inThread = postsIn(around, thread).map(({ ts }) => ts);
  return slack.calls.filter(
    ({ method, args }) =>
      methods.test(method) &&
      args.get('channel') === thread.channel &&
      (args.get('thread_ts') === thread.ts || inThread.includes(args.get('ts') ?? '')),
  );
}

/** Says many words over some time, as an agent does. */
async function drip(turn: { say(words: string): void }, words: readonly string[]): Promise<void> {
  for (const word of words) {
    turn.say(word);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}

const WORDS = Array.from({ length: 40 }, (_, n) => `word${n} `);
const WHOLE = WORDS.join('').trim();

// Each in a thread of its own: they disturb nobody.
describe.concurrent('in a channel', () => {
  it('an answer is one keyed message, edited about once a second at most, with a sign that it goes on', async () => {
    const began = systemClock.now();
    const thread = await askInChannel('what is dripping?');
    const turn = await agent.asked('what is dripping?');
    await untilPosted(around, thread, '… thinking');
    const dripping = drip(turn, WORDS);
    const growing = await untilPosted(around, thread, /word0 [\s\S]*▍/);
    expect(hasButton(growing, 'answer:stop')).toBe(true);
    await dripping;
    await untilPosted(around, thread, 'word39 ▍');
    turn.end(WHOLE);
    const answer = await untilAnswered(around, thread, WHOLE);
    expect(wordsOf(answer)).not.toContain('▍');
    expect(postsIn(around, thread)).toHaveLength(1);

    const [post, ...others] = callsAbout(thread, /^chat\.postMessage$/);
    expect(others).toEqual([]);
    expect(post?.args.get('metadata')).toContain(`answer:${thread.channel}:${thread.ts}#0`);
    const edits = callsAbout(thread, /^chat\.update$/);
    expect(edits.length).toBeGreaterThan(2);
    // Not from call to call: one may be long on its way. But no more leave than there were seconds.
    expect(edits.length - 1).toBeLessThanOrEqual((systemClock.now() - began) / 1_000);
    expect(callsAbout(thread, /Stream$/)).toEqual([]);
  });

  it('a service that does not stream shows progress, and then the answer', async () => {
    await untilPosted(around, silent, /… thinking \(\d+ s\)/);
    (await agent.asked('do you stream?')).json({ answer: 'I say it all at once.' });
    await untilAnswered(around, silent, 'I say it all at once.');
    expect(postsIn(around, silent)).toHaveLength(1);
  });

  it('*Stop* ends it with what has arrived, and the service is heard no more', async () => {
    const thread = await askInChannel('shall I stop it?');
    const turn = await agent.asked('shall I stop it?');
    turn.say('So far so');
    const growing = await untilPosted(around, thread, 'So far so ▍');
    await press(around, BOB, growing, 'answer:stop');
    const stopped = await untilAnswered(around, thread, `Stopped by <@${BOB}>`);
    expect(wordsOf(stopped)).toMatch(/So far so\nStopped by/);
    await until('the request is given up', () => turn.isLeft());
    await press(around, ALICE, stopped, 'answer:try-again');
    (await agent.asked('shall I stop it?')).end('So far so good.');
    await untilAnswered(around, thread, 'So far so good.');
    expect(postsIn(around, thread)).toHaveLength(1);
  });

  it('a bare “stop” ends it too, and is no question', async () => {
    const thread = await askInChannel('will you stop?');
    const turn = await agent.asked('will you stop?');
    turn.say('Never, for');
    await untilPosted(around, thread, 'Never, for ▍');
    await around.workspace.post({ ...thread, user: ALICE, text: 'Stop!', thread_ts: thread.ts });
    const stopped = await untilAnswered(around, thread, 'Stopped by');
    expect(wordsOf(stopped)).toMatch(/Never, for\nStopped by/);
    await around.workspace.post({ ...thread, user: ALICE, text: 'stop', thread_ts: thread.ts });
    await around.workspace.post({ ...thread, user: ALICE, text: 'thanks a lot!', thread_ts: thread.ts });
    await aWhile();
    expect(agent.turns.filter(({ question }) => /stop$|thanks/.test(question))).toEqual([]);
    expect(postsIn(around, thread)).toHaveLength(1);
  });
});

describe.concurrent('in a direct message', () => {
  it('an answer is a Slack stream: started, appended to and stopped, one call after the other', async () => {
    const thread = await askInDm('what drips here?');
    const turn = await agent.asked('what drips here?');
    const words = WORDS.slice(0, 20);
    const whole = `${words.join('')}and more`;
    const dripping = drip(turn, words);
    const growing = await untilPosted(around, thread, /word2 /);
    expect(growing.streaming).toBe(true);
    expect(hasButton(growing, 'answer:stop')).toBe(true);
    await dripping;
    // Said on its own, since a busy machine may bring all others with the first call.
    turn.say('and more');
    await untilPosted(around, thread, 'and more');
    turn.end(whole);
    const answer = await untilAnswered(around, thread, whole);
    expect(hasButton(answer, 'answer:stop')).toBe(false);
    expect(postsIn(around, thread)).toHaveLength(1);

    const calls = await until('the last edit was answered', () => {
      const made = callsAbout(thread, /^chat\./);
      const last = made.at(-1);
      return last?.method === 'chat.update' && last.to !== null && made;
    });
    const methods = calls.map(({ method }) => method.replace('chat.', ''));
    expect(methods.join(' ')).toMatch(/^startStream( appendStream)+ stopStream update$/);
    for (const [index, call] of calls.entries()) {
      const before = calls[index - 1];
      expect(before === undefined || call.from >= (before.to ?? Number.POSITIVE_INFINITY)).toBe(true);
    }
    // All words came by the stream; the last edit only adds what stands below them.
    const streamed = calls
      .filter(({ method }) => /startStream|appendStream/.test(method))
      .map(textOf)
      .join('');
    expect(whole).toContain(streamed.trim());
    expect(streamed).toContain('word2 ');
  });

  it('*Stop* ends the stream with what has arrived', async () => {
    const thread = await askInDm('stop me here?');
    const turn = await agent.asked('stop me here?');
    turn.say('I was about to ');
    const growing = await untilPosted(around, thread, 'I was about to');
    await press(around, ALICE, growing, 'answer:stop');
    const stopped = await untilAnswered(around, thread, 'Stopped by');
    expect(wordsOf(stopped)).toMatch(/I was about to\s*\nStopped by/);
    await until('the request is given up', () => turn.isLeft());
  });

  it('Slack’s own stop ends it as well', async () => {
    const thread = await askInDm('what if Slack stops me?');
    const turn = await agent.asked('what if Slack stops me?');
    turn.say('I would say ');
    const { ts } = await untilPosted(around, thread, 'I would say');
    expect(await around.workspace.stopStream({ as: ALICE, channel: ALICES_DM, ts })).toEqual({ ok: true });
    turn.say('much more');
    const stopped = await untilAnswered(around, thread, 'Stopped by');
    expect(wordsOf(stopped)).toContain('I would say');
    await until('the request is given up', () => turn.isLeft());
    expect(postsIn(around, thread)).toHaveLength(1);
  });
});

describe('a Slack stream', () => {
  it('that breaks in the midst goes on by edits, and nothing that arrived is lost', async () => {
    slack.fault = ({ method }) => (method === 'chat.appendStream' ? { error: 'internal_error' } : null);
    const thread = await askInDm('does the stream break?');
    const turn = await agent.asked('does the stream break?');
    turn.say('One, ');
    await untilPosted(around, thread, 'One,');
    turn.say('two, ');
    await untilPosted(around, thread, 'One, two, ▍');
    turn.end('One, two, three.');
    await untilAnswered(around, thread, 'One, two, three.');
    expect(postsIn(around, thread)).toHaveLength(1);
  });

  it('whose start has an outcome that nobody knows is looked for: there is one message', async () => {
    let lost = false;
    slack.fault = ({ method }) => {
      if (method !== 'chat.startStream' || lost) return null;
      lost = true;
      return 'answer lost';
    };
    const thread = await askInDm('did it start?');
    const turn = await agent.asked('did it start?');
    turn.say('It did, ');
    await until('the start was lost', () => lost);
    turn.end('It did, once.');
    await untilAnswered(around, thread, 'It did, once.');
    await aWhile();
    expect(postsIn(around, thread)).toHaveLength(1);
  });

  // The last, since streams are not asked for again for a while.
  it('that Slack does not know is no loss: the answer grows by edits, and Slack is not asked each time', async () => {
    slack.fault = ({ method }) => (method === 'chat.startStream' ? { error: 'unknown_method' } : null);
    const starts = () => slack.calls.filter(({ method }) => method === 'chat.startStream').length;
    const before = starts();
    for (const question of ['are streams refused?', 'still so?']) {
      const thread = await askInDm(question);
      const turn = await agent.asked(question);
      turn.say('They are, ');
      await untilPosted(around, thread, 'They are, ▍');
      turn.end('They are, but not my words.');
      await untilAnswered(around, thread, 'They are, but not my words.');
      expect(postsIn(around, thread)).toHaveLength(1);
    }
    expect(starts() - before).toBe(1);
  });
});

describe('a Slack stream that expires', () => {
  // In a workspace of its own: a life this short would end the streams of the other tests on a busy machine.
  it('goes on by edits, and nothing that arrived is lost', async () => {
    const brief = await startSurroundings('socket', { streamLife: 1_000 });
    const expert = await startAgent(brief.service.url);
    const other = await startBotOn(brief, { env: { ISSUE_SERVICE_URL: expert.url } });
    const text = 'how long is too long?';
    const { ts } = await brief.workspace.post({ channel: ALICES_DM, user: ALICE, text });
    const thread = { channel: ALICES_DM, ts };
    const turn = await expert.asked(text);
    turn.say('One second ');
    const ended = await until('Slack has ended the stream', () =>
      postsIn(brief, thread).find((one) => one.streaming !== true && wordsOf(one).includes('One second')),
    );
    turn.say('is ');
    const growing = await untilPosted(brief, thread, 'One second is ▍');
    turn.end('One second is too long.');
    const answer = await untilAnswered(brief, thread, 'One second is too long.');
    expect([growing.ts, answer.ts]).toEqual([ended.ts, ended.ts]);
    expect(postsIn(brief, thread)).toHaveLength(1);
    await other.stop();
    await expert.close();
    await brief.close();
  });
});

/** The words that a call brought into a stream. */
function textOf({ args }: PassedCall): string {
  const chunks: { type: string; text?: string }[] = JSON.parse(args.get('chunks') ?? '[]');
  return chunks.map(({ text = '' }) => text).join('');
}
