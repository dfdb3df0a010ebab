import type { WebClient } from '@slack/web-api';
import { SEED_CHANNELS, type Workspace } from 'local-slack';
import { onTestFinished } from 'vitest';
import { createProblems } from '../../../../src/bot/problems/registry.ts';
import type { Rendered } from '../../../../src/bot/render/rendered.ts';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics, type Metrics } from '../../../../src/bot/shared/metrics.ts';
import { createSlackClient } from '../../../../src/bot/slack/client.ts';
import {
  type Content,
  createStreams,
  type DeliverOptions,
} from '../../../../src/bot/slack/delivery/content.ts';
import { deliver } from '../../../../src/bot/slack/delivery/deliver.ts';
import { giveUpGone, keepPlace, sendToPerson } from '../../../../src/bot/slack/delivery/outcomes.ts';
import { createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import {
  blockUntilRepaired,
  createSlackProblems,
  type SlackProblems,
} from '../../../../src/bot/slack/problems/problems.ts';
import { createRefusals, createSessions } from '../../../../src/bot/slack/sessions.ts';
import type { OutboxKey } from '../../../../src/bot/store/intents/keys.ts';
import type { Store } from '../../../../src/bot/store/open.ts';
import type { OutboxRow } from '../../../../src/bot/store/outbox.ts';
import type { Wakeups } from '../../../../src/bot/store/wakeups.ts';
import { type Checkpoint, noCheckpoint } from '../../../../src/lib/clock.ts';
import type { Worker } from '../../../../src/lib/worker-loop.ts';
import { anIntent, type IntentOverrides, storePayload } from '../../../support/intents.ts';
import type { InstantClock } from '../../../support/manual-clock.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { recordWakeups } from '../../../support/record-wakeups.ts';
import { type TestSlack, testSlack } from '../../../support/slack.ts';
import { noSessions } from './no-sessions.ts';

/** The outbox between a real store and the local workspace, on a clock that only the test moves. */
export interface Delivering {
  store: Store;
  wakeups: Wakeups;
  /** Which workers were woken since it was last emptied. */
  woken: string[];
  clock: InstantClock;
  slack: TestSlack;
  workspace: Workspace;
  /** The bot once more, whose calls are not recorded. */
  other: WebClient;
  metrics: Metrics;
  options: DeliverOptions;
  /** What the intents come to from now on. */
  content: Content | (() => Promise<Content>);
  /** The questions whose streams somebody ended in Slack. */
  stopped: string[];
  /** What has to be mended; it is looked at and told only once it is started. */
  slackProblems: SlackProblems & Worker;
  /** When a channel's deliveries arrived again, each time. */
  back: number[];
  /** Asks for a message under `key`. */
  want(intent?: IntentOverrides & { payload?: string }): Promise<void>;
  /** Delivers what is due now, once. */
  work(): Promise<void>;
  /** Somebody deletes in Slack what was posted. */
  deletePosts(): Promise<void>;
  /** Moves the clock on, then delivers what is due. */
  after(ms: number): Promise<void>;
  row(key?: OutboxKey): Promise<OutboxRow>;
}

export const KEY = 'card:issue-1';
/** The channel of the messages, and the alert in it that they answer: the first message of the workspace, at noon. */
export const CHANNEL = SEED_CHANNELS.general.id;
export const ROOT = '1773748800.000000';

/** A message of one section. */
export function words(text: string): Rendered {
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] };
}

/** A message in the alert's thread. */
export function inThread(...texts: string[]): Content & { kind: 'messages' } {
  return { kind: 'messages', parts: texts.map(words), channel: CHANNEL, threadTs: ROOT };
}

export interface DeliveringOptions {
  checkpoint?: Checkpoint;
  isAgent?: boolean;
  /** What Slack's clock shows when ours shows `now`; the same, if not given. */
  slackNow?: (now: number) => number;
}

export async function delivering(options: DeliveringOptions = {}): Promise<Delivering> {
  const { wakeups, woken } = recordWakeups();
  const opened = await openTestStore({ wakeups });
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const { slackNow = (now) => now } = options;
  const slack = testSlack({ now: () => slackNow(clock.now()) });
  const workspace = await slack.workspace();
  await workspace.post({ channel: CHANNEL, username: 'Alertmanager', text: '[FIRING:1] disk is full' });
  const metrics = createMetrics();
  const log = createLogger('silent');
  const other = createSlackClient({ token: workspace.botToken, apiUrl: workspace.apiUrl, log });
  const back: number[] = [];
  const slackProblems = createSlackProblems({
    store,
    client: slack.client,
    clock,
    log,
    admins: { adminsToNotify: async () => ['U0ADMIN'] },
    problems: createProblems({ store, clock, metrics }),
    needsConsent: async () => false,
    configured: [],
    lead: { isHeld: () => true },
    onBack: async () => void back.push(clock.now()),
  });
  const web = { client: slack.client, pace: createPace(), clock, log, metrics };
  const checkpoint = options.checkpoint ?? noCheckpoint;
  const sessions = createSessions({
    slack: web,
    store,
    refusals: createRefusals({ clock, log }),
    checkpoint,
  });
  const self: Delivering = {
    store,
    wakeups,
    woken,
    clock,
    slack,
    workspace,
    other,
    metrics,
    content: inThread('hello'),
    stopped: [],
    slackProblems,
    back,
    options: {
      slack: web,
      store,
      contentOf: async () => (typeof self.content === 'function' ? self.content() : self.content),
      onPlaced: (tx, placed) => keepPlace(tx, placed, { clock, permalink: String }),
      onRefused: (row, error) => sendToPerson(row, error, { store, client: slack.client }),
      onParked: (row, error) =>
        blockUntilRepaired(row, error, { store, clock, slackProblems: slackProblems }),
      onPosted: (channel) => slackProblems.channelWorks(channel),
      onGone: (row, error) => giveUpGone(row, error, { store, clock }),
      onStopped: async (questionId) => void self.stopped.push(questionId),
      streams: createStreams(),
      sessions: options.isAgent === true ? sessions : noSessions,
      random: () => 1,
      checkpoint,
    },
    want: async ({ payload, ...intent } = {}) => {
      const wanted = anIntent({ key: KEY, channel: CHANNEL, threadTs: ROOT, at: clock.now(), ...intent });
      await store.outbox.want(wanted);
      if (payload !== undefined) storePayload(opened.file, wanted.key, payload);
    },
    work: async () => {
      for (const row of await store.outbox.due(clock.now(), 100)) await deliver(row, self.options);
    },
    deletePosts: async () => {
      for (const { channel, ts } of slack.messages()) await other.chat.delete({ channel, ts });
    },
    after: async (ms) => {
      await clock.sleep(ms);
      await self.work();
    },
    row: async (key: OutboxKey = KEY) => {
      const row = await store.outbox.get(key);
      if (row === null) throw new Error(`nothing was wanted under ${key}`);
      return row;
    },
  };
  return self;
}
