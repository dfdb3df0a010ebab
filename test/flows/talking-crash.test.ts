import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Agent, startAgent } from '../support/agent.ts';
import { wordsOf } from '../support/alerts.ts';
import { type Child, KILLABLE, startChild, untilSays } from '../support/child.ts';
import { type Surroundings, startSurroundings } from '../support/program.ts';
import {
  ALICE,
  ALICES_DM,
  aWhile,
  BOB,
  saidIn,
  type Thread,
  untilAnswered,
  untilAnswers,
  untilSaid,
} from '../support/talking.ts';

// That each named step may be the last is shown by `chaos.test.ts`; here, what people see of an answer that was half told.

let around: Surroundings;
let agent: Agent;
let child: Child | null = null;

beforeAll(async () => {
  around = await startSurroundings('socket');
  agent = await startAgent(around.service.url);
});

afterAll(async () => {
  child?.process.kill('SIGKILL');
  await child?.ended;
  await agent.close();
  await around.close();
});

async function start(killAt: string): Promise<Child> {
  const env = { ...around.env, ISSUE_SERVICE_URL: agent.url, LOG_LEVEL: 'warn', KILL_AT: killAt };
  const started = startChild(KILLABLE, env);
  child = started;
  await untilSays(started, /started http/);
  return started;
}

async function say(channel: string, user: string, text: string, thread?: Thread): Promise<Thread> {
  const under = thread === undefined ? {} : { thread_ts: thread.ts };
  const { ts } = await around.workspace.post({ channel, user, text, ...under });
  return { channel, ts: thread?.ts ?? ts };
}

it('answers that are half told when the process is killed are told again in their place, one each, in their order', async () => {
  const first = await start('stream: appended');
  const channel = around.workspace.channels.general;
  const inChannel = await say(channel, ALICE, `<@${around.workspace.botUserId}> what is half told here?`);
  (await agent.asked('what is half told here?')).say('The first ');
  await untilSaid(around, inChannel, 'The first ▍');
  await say(channel, BOB, 'and what waits behind it?', inChannel);
  await untilSaid(around, inChannel, '⏳ Queued');
  const inDm = await say(ALICES_DM, ALICE, 'what is half told to me?');
  const streaming = await agent.asked('what is half told to me?');
  streaming.say('Something ');
  expect((await untilSaid(around, inDm, 'Something')).streaming).toBe(true);
  streaming.say('else ');
  expect(await first.ended).toBe('SIGKILL');
  await say(channel, ALICE, 'and what came meanwhile?', inChannel);
  expect(saidIn(around, inDm).map(({ streaming: open }) => open)).toEqual([true]);

  await start('none');
  (await agent.asked('what is half told to me?')).end('Told anew, to you.');
  (await agent.asked('what is half told here?')).end('Told anew, first.');
  (await agent.asked('and what waits behind it?')).end('Told second.');
  (await agent.asked('and what came meanwhile?')).end('Told third.');
  await untilAnswers(around, inChannel, 'Told anew, first.', 'Told second.', 'Told third.');
  await untilAnswered(around, inDm, 'Told anew, to you.');
  await aWhile();
  expect(saidIn(around, inChannel)).toHaveLength(3);
  const [told, ...others] = saidIn(around, inDm);
  expect([others, told?.streaming, told && wordsOf(told).includes('Something')]).toEqual([
    [],
    undefined,
    false,
  ]);
});
