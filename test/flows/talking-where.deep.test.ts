import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Bot } from '../../src/bot/compose/index.ts';
import { type Agent, startAgent } from '../support/agent.ts';
import { alertmanagerAlert, wordsOf } from '../support/alerts.ts';
import { untilSettled } from '../support/end-state.ts';
import { MANIFEST, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import {
  ALICE,
  ALICES_DM,
  BOB,
  CAROL,
  hasButton,
  postsIn,
  press,
  type Thread,
  untilAnswered,
  untilAnswers,
  untilPosted,
  whisperedTo,
} from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let agent: Agent;
let bot: Bot;
/** The thread of an alert whose investigation has ended. */
let incident: Thread;

beforeAll(async () => {
  around = await startSurroundings('socket');
  agent = await startAgent(around.service.url);
  bot = await startBotOn(around, { env: { ISSUE_SERVICE_URL: agent.url } });
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  incident = { channel: around.workspace.channels.alerts, ts };
  await untilPosted(around, incident, 'Ready to fix');
});

beforeEach(() => {
  agent.onQuestion = 'embedded';
});

afterAll(async () => {
  await bot.stop();
  await agent.close();
  await around.close();
});

/** From now on the agent says again what it was asked, at once. */
function echoes(): void {
  agent.onQuestion = (turn) =>
    turn.end({ answer: `You asked: ${turn.question.split('\n').at(-1)}`, conversation_id: CONVERSATION });
}

async function say(channel: string, text: string, thread?: Thread, user = ALICE): Promise<Thread> {
  const under = thread === undefined ? {} : { thread_ts: thread.ts };
  const { ts } = await around.workspace.post({ channel, user, text, ...under });
  return { channel, ts: thread?.ts ?? ts };
}

function mention(question: string): string {
  return `<@${around.workspace.botUserId}> ${question}`;
}

/** What starts a thread in a channel: the answer to a command. */
function untilStarts(channel: string, words: string) {
  const roots = () => around.workspace.messages(channel);
  return until(
    `a thread begins with ${words}`,
    () => roots().find((one) => wordsOf(one).includes(words) && hasButton(one, 'vote:cast')),
    () => roots().map(wordsOf),
  );
}

// Each in a thread of its own: they disturb nobody.
describe.concurrent('a question', () => {
  it.each([
    ['/ask', 'why is checkout slow, by /ask?'],
    ['/gumshoe', 'ask why is checkout slow, by /gumshoe?'],
  ])('by %s starts a thread with its answer, which goes on', async (command, text) => {
    const channel = around.workspace.channels.general;
    expect(await around.workspace.command({ as: ALICE, channel, command, text })).toEqual({ ok: true });
    const question = text.replace('ask ', '');
    const root = await untilStarts(channel, question);
    expect(wordsOf(root)).toContain(`<@${ALICE}> asked: ${question}`);
    expect(wordsOf(root)).toContain('payments');
    await say(channel, 'since when?', { channel, ts: root.ts });
    const answer = await untilAnswered(around, { channel, ts: root.ts }, /since|began|\d\d:\d\d/i);
    expect(hasButton(root, 'answer:stop-listening')).toBe(true);
    expect(hasButton(answer, 'answer:stop-listening')).toBe(false);
  });

  it('by /ask where the bot is no member is answered in the direct messages, which say how to invite it', async () => {
    const channel = around.workspace.channels.payments;
    const text = 'which services are failing, from #payments?';
    await around.workspace.command({ as: ALICE, channel, command: '/ask', text });
    const root = await untilStarts(ALICES_DM, text);
    expect(wordsOf(root)).toContain(
      `I am not in <#${channel}>, so I am answering here. To add me, run \`/invite\` <@${around.workspace.botUserId}> in <#${channel}>.`,
    );
    const dm = { channel: ALICES_DM, ts: root.ts };
    await say(ALICES_DM, 'what changed there?', dm);
    await untilAnswered(around, dm, /deploy|chang/i);
    expect(around.workspace.messages(channel)).toEqual([]);
  });

  it('by a mention in a channel is answered in its thread', async () => {
    const thread = await say(around.workspace.channels.general, mention('which issues are open?'));
    await untilAnswered(around, thread, '#1');
  });

  it('by a mention in any thread is answered there, and replies go on from then on', async () => {
    const thread = await say(around.workspace.channels.general, 'Who knows about checkout?', undefined, BOB);
    await say(thread.channel, 'I do not', thread, CAROL);
    await untilSettled(around);
    expect(postsIn(around, thread)).toEqual([]);
    await say(thread.channel, mention('which issues are open?'), thread, CAROL);
    await untilAnswered(around, thread, '#1');
    await say(thread.channel, 'what did you rule out for #1?', thread, BOB);
    await until('the reply is answered', () => postsIn(around, thread).length === 2);
  });

  it('in the direct messages needs no mention', async () => {
    const thread = await say(ALICES_DM, 'which issues are open?');
    await untilAnswered(around, thread, '#1');
  });
});

describe('in an issue’s thread', () => {
  it('*Ask* on the card has replies asked, which were people’s own before', async () => {
    echoes();
    await say(incident.channel, 'is anybody on it?', incident, BOB);
    await untilSettled(around);
    expect(postsIn(around, incident).map(wordsOf).join()).not.toContain('You asked');
    const card = await untilPosted(around, incident, 'Ready to fix');
    await press(around, BOB, card, 'issue:ask');
    await untilPosted(around, incident, 'Ask me anything about issue #1: reply in this thread.');
    await say(incident.channel, 'and now?', incident, CAROL);
    await untilAnswered(around, incident, 'You asked: and now?');
    await press(around, BOB, card, 'issue:ask');
    await untilSettled(around);
    const offers = postsIn(around, incident).filter((one) => /Ask me anything/.test(wordsOf(one)));
    expect(offers).toHaveLength(1);
  });

  it('a step is asked about by its button', async () => {
    const results = await until('the results have steps', () =>
      postsIn(around, incident).find((one) => hasButton(one, 'step:ask')),
    );
    await press(around, CAROL, results, 'step:ask');
    const answer = await untilAnswered(around, incident, /About the step “/);
    expect(wordsOf(answer)).toMatch(new RegExp(`<@${CAROL}> asked: About the step “.+”`));
    expect(agent.turns.at(-1)?.question).toMatch(/What does the step “.+” do, how do I carry it out safely/);
  });
});

describe.concurrent('a reply in a conversation’s thread', () => {
  async function conversation(): Promise<Thread> {
    echoes();
    const thread = await say(around.workspace.channels.incidents, mention('are you there?'));
    await untilAnswered(around, thread, 'You asked: are you there?');
    return thread;
  }

  it('is a question, whoever writes it; one that mentions only others is theirs, and “thanks” is none', async () => {
    const thread = await conversation();
    await say(thread.channel, `<@${CAROL}> can you look?`, thread, BOB);
    await say(thread.channel, '<!here> look at this', thread, BOB);
    await say(thread.channel, 'thanks!', thread, BOB);
    await say(thread.channel, 'stop', thread, BOB);
    await say(thread.channel, `${mention('')} and <@${CAROL}>, what now?`, thread, BOB);
    await say(thread.channel, 'what else?', thread, CAROL);
    await untilAnswers(
      around,
      thread,
      'You asked: are you there?',
      'You asked: and @someone, what now?',
      'You asked: what else?',
    );
    expect(postsIn(around, thread)).toHaveLength(3);
  });

  it('is people’s own after *Stop listening*, which is under the first answer, until somebody mentions the bot', async () => {
    const thread = await conversation();
    const [answer] = postsIn(around, thread);
    if (!answer) throw new Error('there is an answer');
    await press(around, BOB, answer, 'answer:stop-listening');
    await untilPosted(around, thread, `<@${BOB}> asked me to stop listening here. Mention me to continue.`);
    await press(around, CAROL, answer, 'answer:stop-listening');
    await until('who presses again is told', () =>
      whisperedTo(around, CAROL, thread).some((words) => /I have stopped listening here/.test(words)),
    );
    await say(thread.channel, 'so we are alone?', thread, BOB);
    await untilSettled(around);
    expect(postsIn(around, thread)).toHaveLength(2);
    await say(thread.channel, mention('back again?'), thread, BOB);
    const back = await untilAnswered(around, thread, 'You asked: back again?');
    expect(hasButton(back, 'answer:stop-listening')).toBe(false);
    expect(hasButton(answer, 'answer:stop-listening')).toBe(true);
    await say(thread.channel, 'for good?', thread, BOB);
    await untilAnswered(around, thread, 'You asked: for good?');
  });
});

describe('where the app is no agent', () => {
  it('everything else works whole', async () => {
    const manifest = join(tmpdir(), `gumshoe-no-agent-${process.pid}.yml`);
    writeFileSync(manifest, withoutAgent(readFileSync(MANIFEST, 'utf8')));
    const plain = await startSurroundings('socket', { manifest });
    const other = await startBotOn(plain);
    const { channels, botUserId } = plain.workspace;
    const places = [
      { channel: ALICES_DM, text: 'how healthy are the services?' },
      { channel: channels.general, text: `<@${botUserId}> how healthy are the services?` },
    ];
    const posts = places.map((place) => plain.workspace.post({ ...place, user: ALICE }));
    for (const [index, { ts }] of (await Promise.all(posts)).entries()) {
      const thread = { channel: places[index]?.channel ?? '', ts };
      await untilAnswered(plain, thread, 'payments');
      expect(postsIn(plain, thread)).toHaveLength(1);
    }
    await other.stop();
    await plain.close();
  });
});

function withoutAgent(text: string): string {
  const manifest = parse(text);
  delete manifest.features.agent_view;
  const { scopes } = manifest.oauth_config;
  scopes.bot = scopes.bot.filter((scope: string) => scope !== 'assistant:write');
  const events = manifest.settings.event_subscriptions;
  events.bot_events = events.bot_events.filter((name: string) => !/^(?:agent_|app_context)/u.test(name));
  return stringify(manifest);
}

const CONVERSATION = '11111111-1111-4111-8111-111111111111';
