import { onTestFinished } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createMetrics } from '../../../../src/bot/shared/metrics.ts';
import { createReader } from '../../../../src/bot/slack/backfill/backfill.ts';
import { createGaps } from '../../../../src/bot/slack/backfill/gaps.ts';
import { createPace } from '../../../../src/bot/slack/delivery/pace.ts';
import { slackTs } from '../../../../src/bot/slack/timestamp.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { testSlack } from '../../../support/slack.ts';
import { depsOf } from './deps.ts';

export type Past = Record<string, unknown> & { ts: string };

export const WATCHED = 'C0WATCHED';

/** A firing (or recovered) alert of a tool, as the history holds it. */
export function toolMessage(ts: string, name: string, state = 'FIRING:1'): Past {
  const color = state === 'RESOLVED' ? 'good' : 'danger';
  const title = `[${state}] ${name} checkout-api (prod shop eu-west-1 critical)`;
  return {
    type: 'message',
    subtype: 'bot_message',
    username: 'Alertmanager',
    bot_id: 'B0TOOL',
    ts,
    attachments: [{ color, fallback: title, title }],
  };
}

/** A back-fill between a real store and a Slack whose answers are forged from a past; `minutesAgo` writes its moments. */
export async function backfilling(options: { step?: (name: string) => Promise<void> | void } = {}) {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const slack = testSlack(clock);
  const past = new Map<string, Past[]>();
  const threads = new Map<string, Past[]>();
  slack.answers('conversations.info', (args) => ({
    channel: { id: args.channel, is_private: false, is_member: true },
  }));
  slack.answers('conversations.history', (args) =>
    page(
      [...(past.get(args.channel ?? '') ?? [])].sort((a, b) => (a.ts < b.ts ? 1 : -1)),
      args,
    ),
  );
  slack.answers('conversations.replies', (args) => {
    const root = { type: 'message', ts: args.ts ?? '', text: 'the root', bot_id: 'B0TOOL' };
    const { messages, ...more } = page(threads.get(`${args.channel} ${args.ts}`) ?? [], args);
    return { messages: [root, ...messages], ...more };
  });
  slack.answers('chat.postEphemeral', {});
  const metrics = createMetrics();
  const warnings: unknown[] = [];
  const reports: string[] = [];
  const log = createLogger('silent');
  log.warn = (...args: unknown[]) => void warnings.push(args[0]);
  const gaps = createGaps({ store, clock });
  const stopping = new AbortController();
  const pace = createPace();
  const deps = {
    ...depsOf({ store, clock, client: slack.client }),
    metrics,
    log,
    gaps,
    pace,
    slackProblems: {
      channelBroke: async (channel: string, reason: string) => void reports.push(`${channel} ${reason}`),
      channelChanged: async (channel: string) => void reports.push(`${channel} changed`),
      channelWorks: async () => undefined,
      scopesMissing: async () => undefined,
    },
    tokenInDoubt: () => void reports.push('token'),
    checkpoint: options.step ?? (() => undefined),
    signal: stopping.signal,
  };
  const reader = createReader(deps);
  return {
    store,
    clock,
    slack,
    metrics,
    warnings,
    /** What was heard of channels and of the token. */
    heard: reports,
    past,
    threads,
    deps,
    gaps,
    pace,
    reader,
    stopping,
    minutesAgo: (minutes: number) => slackTs(clock.now() - minutes * 60_000),
    /** A gap from its beginning to its end. */
    read: async () => {
      await gaps.begin();
      await reader.read();
    },
    /** What was decided on each message of a channel's past, oldest first. */
    decisions: async (channel = WATCHED) => {
      const rows = (past.get(channel) ?? []).map(({ ts }) => store.alerts.find(channel, ts));
      return (await Promise.all(rows)).map((row) => row?.decision ?? null);
    },
  };
}

function page(messages: Past[], args: Record<string, string>): { messages: Past[] } {
  const { oldest = '0', latest = '9', inclusive, limit = '100', cursor = '0' } = args;
  const within = messages.filter(
    ({ ts }) => (ts > oldest && ts < latest) || (inclusive === 'true' && (ts === oldest || ts === latest)),
  );
  const end = Number(cursor) + Number(limit);
  return {
    messages: within.slice(Number(cursor), end),
    ...(end < within.length ? { response_metadata: { next_cursor: String(end) } } : {}),
  };
}
