import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { type Agent, startAgent } from '../support/agent.ts';
import { type AgentSlack, deliverEvent, startAgentSlack } from '../support/agent-slack.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Child, startChild, untilSays } from '../support/child.ts';
import { type Mode, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { ALICE, ALICES_DM, saidIn, type Thread, untilAnswered, untilSaid } from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let agent: Agent;
let slack: AgentSlack;
let bot: Bot | null = null;
let child: Child | null = null;

async function begin(mode: Mode): Promise<void> {
  around = await startSurroundings(mode);
  agent = await startAgent(around.service.url);
  slack = await startAgentSlack(around.workspace);
}

const env = () => ({ SLACK_API_URL: slack.url, ISSUE_SERVICE_URL: agent.url });

afterEach(async () => {
  await bot?.stop();
  bot = null;
  child?.process.kill('SIGKILL');
  await child?.ended;
  child = null;
  await slack.close();
  await agent.close();
  await around.close();
});

/** Alice writes: at the top of her direct messages, unless told. */
async function say(text: string, channel = ALICES_DM): Promise<Thread> {
  const { ts } = await around.workspace.post({ channel, user: ALICE, text });
  return { channel, ts };
}

const session = ({ channel, ts }: Thread) => slack.session(channel, ts);

const becomes = (thread: Thread, status: string) =>
  until(`its session is ${status}`, () => session(thread)?.status === status);

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
    await untilSaid(around, thread, 'The pool');
    expect(session(thread)?.status).toBe('processing');
    turn.end('The pool is full.');
    await untilAnswered(around, thread, 'The pool is full.');
    await becomes(thread, 'active');
    const stop = slack.calls.find(({ method }) => method === 'chat.stopStream');
    expect(stop?.args.session_status).toBe('active');
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
});

describe('an agent', () => {
  it('suggests questions in the Messages tab about what is open, and works no more once Slack’s button stops it', async () => {
    await begin('http');
    bot = await startBotOn(around, { env: env() });
    const { url } = bot;
    const { workspace } = around;
    const alert = await workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the issue has its number', () =>
      /#1\b/.test(repliesTo(around, alert.ts).map(wordsOf).join()),
    );
    const opened = {
      type: 'app_home_opened',
      user: ALICE,
      channel: ALICES_DM,
      tab: 'messages',
      event_ts: '1.1',
    };
    expect(await deliverEvent(url, workspace, opened)).toBe(200);
    expect(await until('prompts are there', () => slack.prompts(ALICES_DM)[0])).toContain('#1');

    const thread = await say('what is slow?');
    (await agent.asked('what is slow?')).say('The pool ');
    await untilSaid(around, thread, 'The pool');
    const pressed = {
      type: 'agent_session_stopped',
      channel: thread.channel,
      user: ALICE,
      thread_ts: thread.ts,
      streaming_message_ts: [],
      event_ts: (Date.now() / 1_000).toFixed(6),
    };
    expect(await deliverEvent(url, workspace, pressed)).toBe(200);
    await untilAnswered(around, thread, 'The pool');
    await becomes(thread, 'active');
    expect(agent.turns.at(-1)?.isLeft()).toBe(true);
  });

  it('is asked “what is this?” about the newest issue of the channel that its person looks at', async () => {
    await begin('http');
    bot = await startBotOn(around, { env: env() });
    const { url } = bot;
    const { workspace } = around;
    const alert = await workspace.post(alertmanagerAlert('HighErrorRate'));
    await until('the issue has its number', () =>
      /#1\b/.test(repliesTo(around, alert.ts).map(wordsOf).join()),
    );
    // What the workspace delivers does not say what somebody looks at.
    workspace.setDelivery('http://127.0.0.1:9/slack/events');
    const text = 'what is this?';
    const { channel, ts } = await say(text);
    const entity = { type: 'slack#/types/channel_id', value: workspace.channels.alerts, team_id: 'T1' };
    const said = { type: 'message', channel_type: 'im', channel, user: ALICE, ts, event_ts: ts, text };
    expect(await deliverEvent(url, workspace, { ...said, app_context: { entities: [entity] } })).toBe(200);
    const turn = await agent.asked(text);
    expect(turn.question).toMatch(/^Open in Slack beside this question is issue #1: .*HighErrorRate/u);
    turn.end('It is the pool.');
    await untilAnswered(around, { channel, ts }, 'It is the pool.');
  });

  it('is done with what it worked on when it was killed, once it has been started again', async () => {
    await begin('socket');
    const start = async () => {
      child = startChild('test/support/killable.ts', { ...around.env, ...env(), LOG_LEVEL: 'warn' });
      await untilSays(child, /started http/);
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
    expect(saidIn(around, thread)).toHaveLength(1);
  });
});
