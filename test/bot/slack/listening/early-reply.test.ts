import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createStreams } from '../../../../src/bot/slack/delivery/content.ts';
import { deliver } from '../../../../src/bot/slack/delivery/deliver.ts';
import { keepPlace } from '../../../../src/bot/slack/delivery/outcomes.ts';
import { createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import { createInbox } from '../../../../src/bot/slack/receivers/inbox.ts';
import { slackTs } from '../../../../src/bot/slack/timestamp.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import type { Fault } from '../../../support/slack.ts';
import { until } from '../../../support/until.ts';
import { command } from '../support/command.ts';
import { BOT } from '../support/deps.ts';
import { listening } from '../support/listening.ts';
import { messagesOf } from '../support/messages-of.ts';
import { noSessions } from '../support/no-sessions.ts';

/** What a command starts a thread with is in Slack, and Slack's response to it has not come. */
async function posting(name: string, text: string, ...faults: Fault[]) {
  const l = await listening();
  const { store, slack } = l;
  await l.give(command(name, text));
  // A new issue's card waits for its number.
  await l.clock.sleep(2_500);
  const [wanted] = await store.outbox.due(l.clock.now(), 9);
  const key = wanted?.key ?? 'answer:';
  const root = slackTs(l.clock.now());
  const posted = Promise.withResolvers<void>();
  const response = Promise.withResolvers<void>();
  slack.answers('chat.postMessage', async ({ channel = '', metadata = '' }) => {
    const message = { ts: root, bot_id: BOT.botId, text: '', metadata: JSON.parse(metadata) };
    slack.answers('conversations.history', { messages: [message] });
    posted.resolve();
    await response.promise;
    return { ts: root, channel, message: { ts: root } };
  });
  slack.next('chat.postMessage', ...faults);
  const { client, clock, log, metrics, checkpoint, random } = l.deps;
  const attempt = async () => {
    const row = await store.outbox.get(key);
    if (row === null) throw new Error('nothing is to be posted');
    await deliver(row, {
      slack: { client, pace: createPace(), clock, log, metrics },
      store,
      contentOf: messagesOf({ store, clock }),
      onPlaced: (tx, placed) => keepPlace(tx, placed, l.deps),
      onRefused: async () => false,
      onParked: async () => false,
      onPosted: async () => undefined,
      onGone: async () => undefined,
      onStopped: async () => undefined,
      streams: createStreams(),
      sessions: noSessions,
      random,
      checkpoint,
    });
  };
  const first = attempt();
  await posted.promise;
  return {
    l,
    root,
    attempt,
    /** Slack responds, or the response is lost. */
    responds: () => {
      response.resolve();
      return first;
    },
  };
}

type Posting = Awaited<ReturnType<typeof posting>>;

/** Somebody writes in the thread, and the delivery waits in the inbox. */
async function writes({ l, root }: Posting, type: 'app_mention' | 'message', text: string) {
  const clock = manualClock(l.clock.now());
  const inbox = createInbox({
    store: l.store,
    clock,
    log: createLogger('silent'),
    metrics: l.metrics,
    checkpoint: () => undefined,
    gap: { begins: async () => undefined, ended: () => undefined },
  });
  inbox.start(({ body, receivedAt }) => l.give(body, receivedAt));
  onTestFinished(() => inbox.stop());
  const ts = slackTs(l.clock.now() + 100);
  const event = { type, channel: 'C1', channel_type: 'channel', thread_ts: root, ts, user: 'U2', text };
  const wrapped = { type: 'event_callback', team_id: 'T1', api_app_id: 'A1', event_id: 'Ev1', event };
  await inbox.accept({ body: wrapped, ack: async () => undefined });
  const untried = async () => (await l.store.inbox.open(clock.now(), { most: 9 })).length === 0;
  await until('it waits', async () => (await untried()) && clock.sleeping() === 1);
  const question = () => l.store.questions.get(`C1:${ts}`);
  expect([await l.store.inbox.countOpen(), inbox.degraded(), await question()]).toEqual([1, null, null]);
  return {
    question,
    asked: (ms: number) => {
      clock.advance(ms);
      return until('it is asked', question);
    },
  };
}

it.each<[string, number, Fault[]]>([
  ['arrives', 250, []],
  ['was lost', 1_000, ['lost_answer']],
])('a reply to an answer is asked once Slack’s response to our post %s', async (_how, ms, faults) => {
  const p = await posting('/ask', 'why is checkout slow?', ...faults);
  const reply = await writes(p, 'message', 'since when?');
  await p.responds();
  if (faults.length > 0) await p.attempt();
  const { conversation } = await reply.asked(ms);
  expect(await p.l.store.conversations.get(conversation)).toMatchObject({
    threadTs: p.root,
    startedBy: 'U1',
  });
});

it('a mention under the card of a new issue is about that issue, also before Slack’s response to the card', async () => {
  const p = await posting('/investigate', 'checkout is slow');
  const mention = await writes(p, 'app_mention', '<@U0BOT> what do you see?');
  await p.responds();
  const { conversation } = await mention.asked(250);
  const issue = await p.l.store.issues.byThread('C1', p.root);
  expect(issue).not.toBeNull();
  expect(await p.l.store.conversations.get(conversation)).toMatchObject({ issueId: issue?.id });
});
