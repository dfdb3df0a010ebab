import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { type Agent, startAgent } from '../support/agent.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Child, KILLABLE, startChild, untilPrinted } from '../support/child.ts';
import { type Mode, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { ALICE, ALICES_DM, postsIn, type Thread, untilAnswered, untilPosted } from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let agent: Agent;
let bot: Bot | null = null;
let child: Child | null = null;

async function begin(mode: Mode): Promise<void> {
  around = await startSurroundings(mode);
  agent = await startAgent(around.service.url);
}

const env = () => ({ ISSUE_SERVICE_URL: agent.url });

afterEach(async () => {
  await bot?.stop();
  bot = null;
  child?.process.kill('SIGKILL');
  await child?.ended;
  child = null;
  await agent.close();
  await around.close();
});

/** Alice writes: at the top of her direct messages, unless told. */
async function say(text: string, channel = ALICES_DM): Promise<Thread> {
  const { ts } = await around.workspace.post({ channel, user: ALICE, text });
  return { channel, ts };
}

const session = ({ channel, ts }: Thread) => around.workspace.session(channel, ts);

const becomes = (thread: Thread, status: string) =>
  until(`its session is ${status}`, () => session(thread)?.status === status);

/** An issue of #alerts, with its number. */
async function withAnIssue(): Promise<void> {
  const alert = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await until('the issue has its number', () => /#1\b/.test(repliesTo(around, alert.ts).map(wordsOf).join()));
}

describe.each(['socket', 'http'] as const)('an agent whose deliveries come by %s', (mode) => {
  beforeEach(async () => {
    await begin(mode);
    bot = await startBotOn(around, { env: env() });
  });

  it('works on a direct message in its own thread, and is done once it has answered', async () => {
    const thread = await say('what is slow?');
    const turn = await agent.asked('what is slow?');
    await becomes(thread, 'processing');
    expect(session(thread)?.title).toBe('what is slow?');
    turn.say('The pool ');
    await untilPosted(around, thread, 'The pool');
    expect(session(thread)?.status).toBe('processing');
    turn.end('The pool is full.');
    await untilAnswered(around, thread, 'The pool is full.');
    await becomes(thread, 'active');
  });

  it('works on a mention in a channel, too', async () => {
    const { botUserId, channels } = around.workspace;
    const thread = await say(`<@${botUserId}> what is slow?`, channels.general);
    const turn = await agent.asked('what is slow?');
    await becomes(thread, 'processing');
    turn.end('The pool is full.');
    await untilAnswered(around, thread, 'The pool is full.');
    await becomes(thread, 'active');
  });

  it('works no more once Slack’s button stops it', async () => {
    const thread = await say('what is slow?');
    (await agent.asked('what is slow?')).say('The pool ');
    await untilPosted(around, thread, 'The pool');
    const { channel, ts: thread_ts } = thread;
    expect(await around.workspace.stopSession({ as: ALICE, channel, thread_ts })).toEqual({ ok: true });
    await untilAnswered(around, thread, 'The pool');
    await becomes(thread, 'active');
    expect(agent.turns.at(-1)?.isLeft()).toBe(true);
  });

  it('leaves a title alone that a person gave', async () => {
    const thread = await say('what is slow?');
    (await agent.asked('what is slow?')).end('The pool is full.');
    await untilAnswered(around, thread, 'The pool is full.');
    await becomes(thread, 'active');
    const { channel, ts: thread_ts } = thread;
    const { workspace } = around;
    expect(await workspace.renameSession({ as: ALICE, channel, thread_ts, title: 'Pools' })).toEqual({
      ok: true,
    });
    await workspace.post({ channel, user: ALICE, text: 'and now?', thread_ts });
    (await agent.asked('and now?')).end('Still full.');
    await untilAnswered(around, thread, 'Still full.');
    await becomes(thread, 'active');
    expect(session(thread)?.title).toBe('Pools');
  });

  it('suggests questions in the Messages tab about what is open', async () => {
    await withAnIssue();
    const { workspace } = around;
    await workspace.openMessagesTab({ user: ALICE });
    await until('prompts are there', () => workspace.messagesTab(ALICE).prompts[0]?.title.includes('#1'));
  });

  it('is asked “what is this?” about the newest issue of the channel that its person looks at', async () => {
    await withAnIssue();
    const { workspace } = around;
    await workspace.lookAt({ user: ALICE, channel: workspace.channels.alerts });
    const thread = await say('what is this?');
    const turn = await agent.asked('what is this?');
    expect(turn.question).toMatch(/^Open in Slack beside this question is issue #1: .*HighErrorRate/u);
    turn.end('It is the pool.');
    await untilAnswered(around, thread, 'It is the pool.');
  });
});

describe.each(['socket', 'http'] as const)('an agent over %s that is killed while it works', (mode) => {
  it('is done with that once it has been started again', async () => {
    await begin(mode);
    const start = async () => {
      child = startChild(KILLABLE, { ...around.env, ...env(), LOG_LEVEL: 'warn' });
      const [, url = ''] = await untilPrinted(child, /started (http\S+)/);
      if (mode === 'http') around.workspace.setDelivery(`${url}/slack/events`);
      return child;
    };
    const first = await start();
    const thread = await say('what is slow?');
    await agent.asked('what is slow?');
    await becomes(thread, 'processing');
    first.process.kill('SIGKILL');
    await first.ended;
    expect(session(thread)?.status).toBe('processing');
    await start();
    (await agent.asked('what is slow?')).end('The pool is full.');
    await untilAnswered(around, thread, 'The pool is full.');
    await becomes(thread, 'active');
    expect(postsIn(around, thread)).toHaveLength(1);
  });
});
