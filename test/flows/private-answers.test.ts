import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { type Agent, startAgent } from '../support/agent.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { type SlackProxy, startSlackProxy } from '../support/proxies/slack-proxy.ts';
import {
  ALICE,
  ALICES_DM,
  BOB,
  CAROL,
  isOver,
  saidIn,
  type Thread,
  untilAnswered,
  untilSaid,
} from '../support/talking.ts';
import { until } from '../support/until.ts';

const LEFT_OUT = 'I left out part of this answer because it concerns a private channel';
/** The first issue, by its number, its title, its channel. */
const SECRET = /#1\b|issue 1\b|VaultKeyRotation|C0SECRETS1/iu;

let around: Surroundings;
let agent: Agent;
let slack: SlackProxy;
let bot: Bot;

beforeAll(async () => {
  around = await startSurroundings('socket');
  agent = await startAgent(around.service.url);
  slack = await startSlackProxy(around.workspace.apiUrl);
  const { alerts, secrets } = around.workspace.channels;
  const env = {
    ALERT_CHANNELS: `${alerts},${secrets}`,
    ISSUE_SERVICE_URL: agent.url,
    SLACK_API_URL: slack.apiUrl,
  };
  bot = await startBotOn(around, { env });
  const first = await around.workspace.post({
    ...alertmanagerAlert('VaultKeyRotationFailed'),
    channel: 'secrets',
  });
  await untilSaid(around, { channel: secrets, ts: first.ts }, 'Ready to fix');
  const second = await around.workspace.post(alertmanagerAlert('OrdersQueueLength', 'orders'));
  await untilSaid(around, { channel: alerts, ts: second.ts }, 'Ready to fix');
});

beforeEach(() => {
  agent.onQuestion = 'embedded';
});

afterAll(async () => {
  await bot.stop();
  await slack.close();
  await agent.close();
  await around.close();
});

async function asks(user: string, channel: string, question: string): Promise<Thread> {
  const isDm = channel.startsWith('D');
  const text = isDm ? question : `<@${around.workspace.botUserId}> ${question}`;
  return { channel, ts: (await around.workspace.post({ channel, user, text })).ts };
}

/** Everything that was ever sent to a place, whatever became of it; a session's title may be what a person asked there. */
function sentTo(channel: string): string {
  const asked = new Set(around.workspace.messages(channel).map(({ text }) => text.replace(/^<@\w+> /u, '')));
  return slack.calls
    .filter(({ args }) => [...args.values()].includes(channel))
    .flatMap(({ args }) => [...args].filter(([name, value]) => name !== 'title' || !asked.has(value)))
    .map(([, value]) => value)
    .join('\n');
}

/** Opened by a question from a channel that the bot is not in, which is withheld there too. */
async function carolsDm(): Promise<string> {
  const channel = around.workspace.channels.payments;
  await around.workspace.command({ as: CAROL, channel, command: '/ask', text: 'what is open?' });
  const call = await until('it is answered in the direct messages', () =>
    slack.calls.find(
      ({ args }) => args.get('channel')?.startsWith('D') && [...args.values()].join().includes(LEFT_OUT),
    ),
  );
  return call.args.get('channel') ?? '';
}

/** What was sent since then to any place but the private channel. */
function sentElsewhere(from: number): string[] {
  const { secrets } = around.workspace.channels;
  return slack.calls
    .slice(from)
    .map(({ args }) => [...args.values()])
    .filter((values) => !values.includes(secrets))
    .map((values) => values.join('\n'));
}

function untilOver(thread: Thread, count = 1) {
  return until('it is answered', () => {
    const answers = saidIn(around, thread).filter(isOver);
    return answers.length >= count && answers.at(-1);
  });
}

describe('in a public channel', () => {
  it('who asks what is open reads of all but what is private', async () => {
    const { general } = around.workspace.channels;
    const thread = await asks(CAROL, general, 'what is open?');
    const answer = await untilAnswered(around, thread, LEFT_OUT);
    expect(wordsOf(answer)).toContain('OrdersQueueLength');
    expect(sentTo(general)).not.toMatch(SECRET);
  });

  it('who asks about the private issue by its number reads one sentence, and so does who goes on', async () => {
    const { incidents } = around.workspace.channels;
    const thread = await asks(CAROL, incidents, 'what about issue 1?');
    expect(wordsOf(await untilOver(thread))).toContain(LEFT_OUT);
    await around.workspace.post({
      channel: incidents,
      user: CAROL,
      text: 'why did it happen?',
      thread_ts: thread.ts,
    });
    expect(wordsOf(await untilOver(thread, 2)).toString()).toContain(LEFT_OUT);
    for (const answer of saidIn(around, thread))
      expect(wordsOf(answer)).not.toMatch(/Root cause|payments|deploy/iu);
    expect(sentTo(incidents)).not.toMatch(SECRET);
  });

  it.each(['what is open?', 'what about issue 1?'])('/ask %s', async (text) => {
    const channel = around.workspace.channels.alerts;
    const before = new Set(around.workspace.messages(channel).map(({ ts }) => ts));
    const from = slack.calls.length;
    await around.workspace.command({ as: CAROL, channel, command: '/ask', text });
    await until('it is answered', () =>
      around.workspace
        .messages(channel)
        .some((one) => !before.has(one.ts) && isOver(one) && wordsOf(one).includes(LEFT_OUT)),
    );
    for (const one of sentElsewhere(from)) expect(one).not.toMatch(SECRET);
  });

  it('nothing of it is shown while the answer streams, nor what it found', async () => {
    agent.onQuestion = 'wait';
    const { general } = around.workspace.channels;
    const from = slack.calls.length;
    const thread = await asks(CAROL, general, 'tell me about the day');
    const turn = await agent.asked('tell me about the day');
    turn.say('All is calm but for one.\n\nThe failing job is VaultKeyRot');
    await untilSaid(around, thread, 'All is calm');
    turn.say('ationFailed, see #');
    turn.say('1.\n\nOrders is slow.');
    turn.end({
      answer:
        'All is calm but for one.\n\nThe failing job is VaultKeyRotationFailed, see #1.\n\nOrders is slow.',
      artifacts: [
        { id: 'a1', tool_name: 'logs', summary: 'Errors of VaultKeyRotationFailed' },
        { id: 'a2', tool_name: 'metrics', summary: 'The queue of orders' },
      ],
    });
    const answer = wordsOf(await untilAnswered(around, thread, LEFT_OUT));
    expect(answer).toContain('Orders is slow.');
    expect(answer).toContain('The queue of orders');
    for (const one of sentElsewhere(from)) expect(one).not.toMatch(/VaultKeyRot|\*\*#1\b/iu);
  });

  it('nor where it comes whole, or breaks off', async () => {
    const { general } = around.workspace.channels;
    const from = slack.calls.length;
    agent.onQuestion = (turn) =>
      turn.json({ answer: '- **#1** VaultKeyRotationFailed\n- **#2** OrdersQueueLength' });
    await untilAnswered(around, await asks(CAROL, general, 'how is it all?'), LEFT_OUT);
    agent.onQuestion = (turn) => {
      turn.say('Well, [FIRING:1] VaultKeyRotationFa');
      turn.cut();
    };
    await untilAnswered(around, await asks(CAROL, general, 'how is it now?'), /broke off|connection/u);
    for (const one of sentElsewhere(from)) expect(one).not.toMatch(/VaultKeyRot|\*\*#1\b/iu);
  });
});

describe('who may see it', () => {
  it('reads it in the private channel, by mention and by /ask', async () => {
    const { secrets } = around.workspace.channels;
    const thread = await asks(BOB, secrets, 'what about issue 1?');
    expect(wordsOf(await untilOver(thread))).toMatch(/VaultKeyRotationFailed/u);
    await around.workspace.command({ as: BOB, channel: secrets, command: '/ask', text: 'what is open?' });
    const answer = await until('it is answered there', () =>
      around.workspace.messages(secrets).find((one) => isOver(one) && wordsOf(one).includes('what is open?')),
    );
    expect(wordsOf(answer)).toMatch(/VaultKeyRotationFailed/u);
    expect(wordsOf(answer)).not.toContain(LEFT_OUT);
  });

  it('reads it in their direct messages, and who may not see it does not', async () => {
    const mine = await asks(ALICE, ALICES_DM, 'what is open?');
    expect(wordsOf(await untilOver(mine))).toMatch(/VaultKeyRotationFailed/u);
    const theirs = await asks(CAROL, await carolsDm(), 'what is open?');
    const answer = wordsOf(await untilAnswered(around, theirs, LEFT_OUT));
    expect(answer).toContain('OrdersQueueLength');
    expect(sentTo(theirs.channel)).not.toMatch(SECRET);
  });
});
