import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { type Agent, startAgent } from '../support/agent.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { ALICE, BOB, CAROL, EVE, type Thread, untilAnswered, untilPosted } from '../support/talking.ts';

let around: Surroundings;
let agent: Agent;
let bot: Bot;

beforeAll(async () => {
  around = await startSurroundings('socket');
  agent = await startAgent(around.service.url);
  await start({});
});

afterAll(async () => {
  await bot.stop();
  await agent.close();
  await around.close();
});

async function start(env: Record<string, string>): Promise<void> {
  bot = await startBotOn(around, { env: { ISSUE_SERVICE_URL: agent.url, ...env } });
}

async function restart(env: Record<string, string>): Promise<void> {
  await bot.stop();
  await start(env);
}

async function say(channel: string, user: string, text: string, thread?: Thread): Promise<Thread> {
  const under = thread === undefined ? {} : { thread_ts: thread.ts };
  const { ts } = await around.workspace.post({ channel, user, text, ...under });
  return { channel, ts: thread?.ts ?? ts };
}

/** Alice mentions the bot in a thread; what arrives at the service, which answers. */
async function asked(thread: Thread, question: string): Promise<string> {
  await say(thread.channel, ALICE, `<@${around.workspace.botUserId}> ${question}`, thread);
  const turn = await agent.asked(question);
  turn.end({ answer: `Heard: ${question}`, conversation_id: CONVERSATION });
  await untilAnswered(around, thread, `Heard: ${question}`);
  return turn.question;
}

/** A thread in which people have talked; one of them is of another organization. */
async function talk(): Promise<Thread> {
  const thread = await say(around.workspace.channels.incidents, BOB, 'Checkout is slow since noon');
  await say(thread.channel, CAROL, `<@${BOB}> did Bob Builder deploy?`, thread);
  await say(thread.channel, EVE, 'our side is fine', thread);
  await say(thread.channel, BOB, 'not me, the pool of payments looks full', thread);
  return thread;
}

describe('the first question in an issue’s thread', () => {
  it('brings number, title, environment, status and root cause, and what was said there; the next only itself', async () => {
    const { alerts } = around.workspace.channels;
    const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    const thread = { channel: alerts, ts };
    await untilPosted(around, thread, 'Ready to fix');
    await say(alerts, BOB, 'is it the deploy again?', thread);
    expect(await asked(thread, 'what do we do?')).toMatch(
      new RegExp(
        [
          '^This is about issue #1: HighErrorRate checkout-api \\(prod shop eu-west-1 critical\\)',
          'Environment: production\\. Status: ready_to_fix\\.(?: Service: checkout-api\\.)?',
          'Root cause: .*payments.*',
          '',
          'Said in this thread before:',
          'Alertmanager: HighErrorRate .*',
          'Person A: is it the deploy again\\?',
          '',
          'The question:',
          'what do we do\\?$',
        ].join('\n'),
      ),
    );
    expect(await asked(thread, 'and then?')).toBe('and then?');
  });
});

describe('a thread in which people talked before the mention', () => {
  it('is told without names, and without people of other organizations', async () => {
    expect(await asked(await talk(), 'who is right?')).toBe(
      [
        'Said in this thread before:',
        'Person A: Checkout is slow since noon',
        'Person B: Person A did Person A deploy?',
        'Person A: not me, the pool of payments looks full',
        '',
        'The question:',
        'who is right?',
      ].join('\n'),
    );
  });

  it('is told as far as its last 30 messages', async () => {
    const thread = await say(around.workspace.channels.incidents, BOB, 'line 0');
    for (let n = 1; n <= 34; n += 1) await say(thread.channel, BOB, `line ${n}`, thread);
    const lines = (await asked(thread, 'how many?')).split('\n');
    expect(lines.filter((line) => line.startsWith('Person A: line')).map((line) => line.slice(15))).toEqual(
      Array.from({ length: 30 }, (_, n) => String(n + 5)),
    );
  });

  it('is told with names where SHARE_USER_NAMES=true', async () => {
    await restart({ SHARE_USER_NAMES: 'true' });
    expect(await asked(await talk(), 'who was it?')).toMatch(
      /^Said in this thread before:\nbob: Checkout is slow since noon\ncarol: bob did Bob Builder deploy\?\nbob: not me/,
    );
  });

  it('is not told where SHARE_THREAD=false', async () => {
    await restart({ SHARE_THREAD: 'false' });
    expect(await asked(await talk(), 'what is it?')).toBe('what is it?');
    await restart({});
  });
});

describe('attached files', () => {
  it('that are text of up to 50 kB are read in; others are named as not read, to the agent and below the answer', async () => {
    const channel = around.workspace.channels.general;
    const { ts } = await around.workspace.upload({
      channel,
      user: ALICE,
      text: `<@${around.workspace.botUserId}> what do these say?`,
      files: [
        { name: 'app.log', content: 'INFO up\nERROR no space left on device\n' },
        { name: 'diagram.png', content: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
        { name: 'huge.log', content: 'x'.repeat(50_001) },
      ],
    });
    const turn = await agent.asked('what do these say?');
    expect(turn.question).toBe(
      [
        'Attached file app.log:',
        'INFO up',
        'ERROR no space left on device',
        '',
        'Not read: diagram.png (not a text file), huge.log (larger than 50 kB)',
        '',
        'The question:',
        'what do these say?',
      ].join('\n'),
    );
    turn.end('The disk is full.');
    const answer = await untilAnswered(around, { channel, ts }, 'The disk is full.');
    expect(wordsOf(answer)).toContain(
      'Not read: diagram.png (not a text file), huge.log (larger than 50 kB)',
    );
  });

  it('count for the embedded agent, as what was said before does', async () => {
    agent.onQuestion = 'embedded';
    const channel = around.workspace.channels.general;
    const { ts } = await around.workspace.upload({
      channel,
      user: ALICE,
      text: `<@${around.workspace.botUserId}> what does the attached log say?`,
      files: [{ name: 'payments.log', content: 'INFO up\nERROR connection pool exhausted\n'.repeat(20) }],
    });
    const answer = await untilAnswered(around, { channel, ts }, /connection pool exhausted/);
    expect(wordsOf(answer)).toContain('payments.log');
  });
});

const CONVERSATION = '11111111-1111-4111-8111-111111111111';
