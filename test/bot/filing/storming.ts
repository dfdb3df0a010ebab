import { setImmediate as turn } from 'node:timers/promises';
import { SEED_CHANNELS } from 'local-slack';
import { onTestFinished } from 'vitest';
import { ask } from '../../../src/bot/asking/ask.ts';
import { considerMessage } from '../../../src/bot/filing/carry-out.ts';
import { createCreator } from '../../../src/bot/filing/create.ts';
import { addIssue } from '../../../src/bot/filing/file.ts';
import type { DecisionResult } from '../../../src/bot/filing/occurrence.ts';
import { issueIdOf } from '../../../src/bot/filing/reference.ts';
import { createTimers } from '../../../src/bot/filing/timers.ts';
import { createLogger } from '../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../src/bot/shared/metrics.ts';
import { createOriginOf } from '../../../src/bot/slack/access/consent.ts';
import { createStreams, type DeliverOptions } from '../../../src/bot/slack/delivery/content.ts';
import { deliver } from '../../../src/bot/slack/delivery/deliver.ts';
import { keepPlace } from '../../../src/bot/slack/delivery/outcomes.ts';
import { createPace } from '../../../src/bot/slack/delivery/pace.ts';
import { createMessages } from '../../../src/bot/slack/messages/index.ts';
import type { Hold } from '../../../src/bot/store/holds.ts';
import { noCheckpoint } from '../../../src/lib/clock.ts';
import { createWakeup } from '../../../src/lib/worker-loop.ts';
import { anAlert } from '../../support/an-alert.ts';
import { fakeService } from '../../support/fake-service.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { testSlack } from '../../support/slack.ts';
import { noSessions } from '../slack/support/no-sessions.ts';
import { mayReadOf } from '../slack/support/reading.ts';

/** Where the time between two calls does not matter, a longer step will do. */
const STEP_MS = 250;
/** More than a storm has due at once: the real delivery goes on with the next batch while one is full. */
const ALL = 2_000;
export const CHANNEL = SEED_CHANNELS.general.id;

/** Filing, the keeper and the delivery to the local workspace, on a clock that only the test moves. */
export async function storming(limits: { maxIssuesPerDay?: number } = {}) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store } = opened;
  const clock = manualClock();
  const slack = testSlack(clock);
  const workspace = await slack.workspace();
  const log = createLogger(process.env.TEST_LOG ?? 'silent');
  const permalink = (channel: string, ts: string) =>
    `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`;
  const options = {
    store,
    clock,
    nameOf: async () => null,
    permalink,
    defaultEnvironment: 'production',
    maxIssuesPerDay: limits.maxIssuesPerDay ?? 500,
    reactions: { causeFound: 'mag_right', noCause: 'shrug', resolved: 'white_check_mark' },
    needsConsent: async () => false,
    filePerUserHour: 30,
  };
  const delivery: DeliverOptions = {
    slack: { client: slack.client, pace: createPace(), clock, log, metrics: createMetrics() },
    store,
    contentOf: createMessages({
      ...options,
      mayRead: mayReadOf({ store }),
      identity: { botUserId: 'U0BOT', botId: 'B0BOT', teamId: 'T1' },
      simulated: false,
    }),
    onPlaced: (tx, placed) => keepPlace(tx, placed, options),
    onRefused: async () => false,
    onParked: async () => false,
    onPosted: async () => undefined,
    onGone: async () => undefined,
    onStopped: async () => undefined,
    streams: createStreams(),
    sessions: noSessions,
    random: () => 0.5,
    checkpoint: noCheckpoint,
  };
  const timers = createWakeup(clock);
  const keeper = createTimers({
    ...options,
    log,
    metrics: createMetrics(),
    problems: { watch: () => () => undefined },
    wakeup: timers,
  });
  keeper.start();
  onTestFinished(() => keeper.stop());
  const sent: string[] = [];
  const service = fakeService();
  const filed = createWakeup();
  const creator = createCreator({
    store,
    service: service.client,
    organization: 'default',
    originOf: createOriginOf({ store, languageModel: async () => null }),
    clock,
    random: () => 0.5,
    log,
    filed,
    checkpoint: noCheckpoint,
  });
  creator.start();
  onTestFinished(() => creator.stop());

  const pass = async (ms: number, step = STEP_MS): Promise<void> => {
    for (let passed = 0; passed < ms; passed += step) {
      clock.advance(step);
      filed.wake();
      timers.wake();
      // The keeper and the creator wake, and have the database first.
      await turn();
      await store.transaction(async () => undefined);
      for (const { key } of await store.outbox.due(clock.now(), ALL)) {
        const row = await store.outbox.get(key);
        if (row?.state === 'due' && row.nextAt <= clock.now()) await deliver(row, delivery);
      }
    }
  };

  return {
    store,
    clock,
    slack,
    service,
    options,
    permalink,
    pass,
    /** The `ts` of the nth alert. */
    tsOf: (n: number) => sent[n - 1] ?? '',
    /** Somebody asked a question in the channel, and it is answered. */
    ask: (text: string): Promise<void> =>
      ask(
        { id: text, channel: CHANNEL, threadTs: null, asker: 'U0ALICE001', text },
        { store, clock, askPerUserHour: 30, askPerChannelHour: 120 },
      ),
    /** The answer to a question has grown so far. */
    answer: async (text: string, answer: string): Promise<void> => {
      await store.questions.update(text, { state: 'asking', answer }, clock.now());
      await store.outbox.again(`answer:${text}`);
    },
    /** Somebody files an issue by command. */
    investigate: (title: string): Promise<boolean> =>
      store.transaction((tx) =>
        addIssue(tx, {
          id: issueIdOf('command', title),
          identity: null,
          request: { title, description: title, environment: 'production' },
          channel: CHANNEL,
          threadTs: null,
          requestedBy: 'U0ALICE001',
          source: null,
          organization: 'default',
          now: clock.now(),
        }),
      ),
    /** An alert of the nth kind is posted, and considered. */
    fire: async (
      kind: number,
      more: { channel?: string; kind?: 'firing' | 'resolved' } = {},
    ): Promise<DecisionResult> => {
      const { channel = CHANNEL, kind: state = 'firing' } = more;
      const { ts } = await workspace.post({ channel, username: 'Alertmanager', text: `Kind ${kind} fails` });
      sent.push(ts);
      const service = ['cart', 'checkout', 'payments', 'search', null][kind % 5] ?? null;
      return considerMessage(
        {
          channel,
          ts,
          threadTs: null,
          permalink: null,
          alert: anAlert({ kind: state, title: `Kind ${kind} fails`, fingerprint: `kind-${kind}`, service }),
          sender: 'Alertmanager',
          byPerson: false,
          edited: false,
          note: null,
        },
        options,
      );
    },
    /** The one hold there is. */
    hold: async (): Promise<Hold> => {
      const row = await store.holds.current(CHANNEL, false, 0);
      if (row === null) throw new Error('nothing is held');
      return row;
    },
    /** The words of the rolling messages, as they stand. */
    heldMessages: () =>
      slack
        .messages()
        .filter(({ metadata }) => String(metadata?.event_payload?.key).startsWith('held:'))
        .map(({ blocks }) => JSON.stringify(blocks)),
  };
}

/** The shortest time between two calls of a method that have the same `of`, in milliseconds. */
export function shortestGap(
  calls: readonly { method: string; args: Record<string, string>; at: number }[],
  method: string,
  of: (args: Record<string, string>) => string | undefined,
): number {
  const last = new Map<string | undefined, number>();
  let shortest = Number.POSITIVE_INFINITY;
  for (const { args, at } of calls.filter((call) => call.method === method)) {
    shortest = Math.min(shortest, at - (last.get(of(args)) ?? Number.NEGATIVE_INFINITY));
    last.set(of(args), at);
  }
  return shortest;
}

/** The most calls of a method within any minute. */
export function mostInMinute(calls: readonly { method: string; at: number }[], method: string): number {
  const times = calls.filter((call) => call.method === method).map(({ at }) => at);
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
}
