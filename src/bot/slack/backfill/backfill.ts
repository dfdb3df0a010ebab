import { setImmediate as aTurn } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { backoffMs } from '../../../lib/clock.ts';
import { isAuthored, SlackMessage } from '../../alerts/message.ts';
import type { Deps } from '../../deps.ts';
import { arriving } from '../../shared/tracing/spans.ts';
import { backfilledIntent } from '../../store/intents/channel-intents.ts';
import { checkAlertChannels, slackFailure } from '../checks.ts';
import { classifySlackError, isOfTheChannel } from '../errors.ts';
import { takeMessage } from '../features/alerts/messages.ts';
import { takeMention } from '../features/asking/events.ts';
import { isOwn } from '../listening/messages.ts';
import {
  asEvent,
  type BackfillDeps,
  backgroundCall,
  historyPages,
  type Past,
  type Range,
  rangeOf,
} from './history.ts';

/** A channel was not read, or not all of it: its gap stays open. */
class UnreadError extends Error {
  override name = 'UnreadError';
  /** As a metric label. `is_archived`: nothing can be posted there. */
  readonly outcome: 'not_all_taken' | 'is_archived';

  constructor(message: string, outcome: UnreadError['outcome']) {
    super(message);
    this.outcome = outcome;
  }
}

/** The outcome as a metric label, and whether it may succeed soon without anybody's help. */
function outcomeOf(error: unknown): { outcome: string; passes: boolean } {
  if (error instanceof UnreadError)
    return { outcome: error.outcome, passes: error.outcome === 'not_all_taken' };
  const failure = classifySlackError(error);
  const outcome = failure.kind === 'refused' ? failure.error : failure.kind;
  return { outcome, passes: failure.kind !== 'refused' && failure.kind !== 'token_refused' };
}

/** Why a channel could not be read, and what to do, in the words of the doctor. */
async function inWords(
  error: unknown,
  channel: string,
  client: WebClient,
): Promise<{ detail: string; fix: string | null }> {
  if (error instanceof UnreadError && error.outcome === 'not_all_taken')
    return { detail: error.message, fix: 'see the errors above; retrying' };
  const [check] = await checkAlertChannels(client, [channel]);
  return check?.ok === false ? check : slackFailure(`channel ${channel}`, error, 'SLACK_BOT_TOKEN');
}

/** Takes an event as if it had just arrived; false if that failed: the channel is read again soon. */
async function take(event: { ts: string; text?: string | undefined }, deps: BackfillDeps): Promise<boolean> {
  const { clock, log, metrics, identity } = deps;
  deps.signal.throwIfAborted();
  try {
    await arriving('message read after a gap', clock.now(), async () => {
      await takeMessage(event, deps);
      // Slack sends such a message as a mention too.
      if (event.text?.includes(`<@${identity.botUserId}>`)) await takeMention(event, deps);
    });
    metrics.count('gumshoe_backfilled_messages_total', { outcome: 'taken' });
    await deps.checkpoint('backfill: taken');
    return true;
  } catch (error) {
    log.error({ err: error, ts: event.ts }, 'could not process a missed message');
    metrics.count('gumshoe_backfilled_messages_total', { outcome: 'failed' });
    return false;
  }
}

interface ReadChannel {
  channel: string;
  range: Range;
  /** How many messages from others were posted since the gap began, without those that are too old. */
  came: number;
}

/** Whether somebody else wrote it: neither Gumshoe, nor a notice of Slack's. */
function isOthers(past: Past, { identity }: BackfillDeps): boolean {
  const message = SlackMessage.safeParse(past);
  return message.success && isAuthored(message.data) && !isOwn(past, identity);
}

/**
 * Decides on missed top-level messages of a channel, oldest first, and on missed edits.
 *
 * @throws Slack's refusal; UnreadError.
 */
async function readChannel(
  { channel, gapFrom }: { channel: string; gapFrom: string },
  deps: BackfillDeps,
): Promise<ReadChannel> {
  const { store, clock } = deps;
  const channelType = await typeOf(channel, deps);
  const range = await rangeOf(channel, gapFrom, store, clock.now());
  const messages: Past[] = [];
  for await (const page of historyPages(deps, { channel, oldest: range.readFrom })) messages.push(...page);
  messages.sort((one, other) => (one.ts < other.ts ? -1 : 1));
  await deps.checkpoint('backfill: read');
  let came = 0;
  let failed = 0;
  // What was posted before the channel was watched was not missed.
  let isWatchedByThen = false;
  for (const past of messages) {
    // The database responds synchronously: without this, deliveries would not be acknowledged meanwhile.
    await aTurn();
    const decided = await store.alerts.find(channel, past.ts);
    isWatchedByThen ||= decided !== null;
    const after = isWatchedByThen ? range.unsureFrom : gapFrom;
    if (past.ts > gapFrom && isOthers(past, deps)) came += 1;
    const event = asEvent(past, decided, { channel, channelType, after });
    if (event !== null && !(await take(event, deps))) failed += 1;
  }
  if (failed > 0) throw new UnreadError(`could not process ${failed} of its messages`, 'not_all_taken');
  return { channel, range, came };
}

async function typeOf(channel: string, deps: BackfillDeps): Promise<string> {
  const { channel: info } = await backgroundCall(deps, { method: 'conversations.info', channel }, (client) =>
    client.conversations.info({ channel }),
  );
  if (info?.is_archived === true) throw new UnreadError('the channel is archived', 'is_archived');
  await deps.store.channels.learn(channel, info?.is_private !== false);
  if (info?.is_mpim === true) return 'mpim';
  return info?.is_private === false ? 'channel' : 'group';
}

/** Ten thousand messages; beyond that, the notice says "at least". */
const MOST_PAGES = 50;

/** Counts missed messages that are too old to be decided on, and says so in the channel if there are any. */
async function notifyLeftOut({ channel, range, came }: ReadChannel, deps: BackfillDeps): Promise<void> {
  const { gapFrom, tooOldBefore } = range;
  if (gapFrom >= tooOldBefore) return;
  const { store, clock, log, metrics } = deps;
  const { older, isMore } = await countOlder({ channel, gapFrom, tooOldBefore }, deps);
  if (older === 0) return;
  metrics.count('gumshoe_backfilled_messages_total', { outcome: 'too_old' }, older);
  log.warn({ channel, older, from: gapFrom }, 'skipped missed messages that are too old');
  const missed = { messages: came + older, older, isMore };
  await store.outbox.want(backfilledIntent(channel, gapFrom, missed, clock.now()));
}

async function countOlder(
  { channel, gapFrom, tooOldBefore }: { channel: string; gapFrom: string; tooOldBefore: string },
  deps: BackfillDeps,
): Promise<{ older: number; isMore: boolean }> {
  let older = 0;
  let pages = 0;
  for await (const page of historyPages(deps, { channel, oldest: gapFrom, latest: tooOldBefore })) {
    if (pages === MOST_PAGES) return { older, isMore: true };
    pages += 1;
    for (const past of page) {
      const isMissed = past.ts > gapFrom && past.ts < tooOldBefore && isOthers(past, deps);
      // An earlier reading that was interrupted may have decided on it.
      if (isMissed && (await deps.store.alerts.find(channel, past.ts)) === null) older += 1;
    }
  }
  return { older, isMore: false };
}

/** Reads what was missed, one reading at a time; a channel that cannot be read keeps its gap, and holds up no other. */
export function createReader(deps: BackfillDeps) {
  const { store, client, log, metrics, gaps } = deps;
  const outcomes = new Map<string, string>();
  let remaining = 0;

  async function readAll(): Promise<boolean> {
    const begun = gaps.begun();
    const open = (await store.channels.watched()).flatMap(({ channel, gapFrom }) =>
      gapFrom === null ? [] : [{ channel, gapFrom }],
    );
    remaining = open.length;
    let isWhole = true;
    for (const one of open) {
      const result = await attempt(one);
      if (gaps.begun() === begun) gaps.release(one.channel);
      if (typeof result === 'object') {
        await notifyLeftOut(result, deps);
        await deps.checkpoint('backfill: before close');
        // A gap that has begun since is as old as this one, and is read next.
        if (gaps.begun() === begun) await store.channels.closeGap(one.channel);
      }
      if (result === 'passes') isWhole = false;
      remaining -= 1;
    }
    return isWhole;
  }

  async function attempt(one: {
    channel: string;
    gapFrom: string;
  }): Promise<ReadChannel | 'closed' | 'passes'> {
    try {
      const result = await readChannel(one, deps);
      metrics.count('gumshoe_backfilled_channels_total', { outcome: 'ok' });
      outcomes.delete(one.channel);
      return result;
    } catch (error) {
      deps.signal.throwIfAborted();
      const { outcome, passes } = outcomeOf(error);
      metrics.count('gumshoe_backfilled_channels_total', { outcome });
      // Once, not again after each gap.
      if (outcomes.get(one.channel) !== outcome) {
        const { detail, fix } = await inWords(error, one.channel, client);
        log.warn({ channel: one.channel, detail, fix }, 'could not backfill a channel');
      }
      outcomes.set(one.channel, outcome);
      if (isOfTheChannel(one.channel, outcome)) await deps.slackProblems.channelBroke(one.channel, outcome);
      return passes ? 'passes' : 'closed';
    }
  }

  return {
    /**
     * @returns false if a channel was not read because of a transient failure
     * @throws what interrupted it; what was not read is read again
     */
    read: async (): Promise<boolean> => {
      const begun = gaps.begun();
      try {
        return await readAll();
      } finally {
        remaining = 0;
        if (gaps.begun() === begun) gaps.releaseAll();
      }
    },
    remaining: (): number => remaining,
  };
}

const LOOK_MS = 60 * 60_000;
/** After a transient failure of the network or the disk. */
const RETRY = { firstMs: 1_000, maxMs: 5 * 60_000 };
const GRACE_MS = 3_000;

export interface Backfill {
  start(): void;
  /** A sentence for `/readyz` while it is reading; otherwise `null`. */
  degraded(): string | null;
  /** Ends at once; the next start reads the rest. */
  stop(): Promise<void>;
}

/**
 * Reads what was posted in watched channels while deliveries could not be received, from the newest message that was
 * handled, and decides on it as if live: after each gap, and soon again after a transient failure. A channel that Slack
 * does not let us read is read after the next gap, or when that is repaired.
 */
export function createBackfill(options: Deps): Backfill {
  const { gaps, clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const reader = createReader({ ...options, signal });
  let loop: Promise<void> = Promise.resolve();
  let readUpTo = 0;
  let failures = 0;

  async function run(): Promise<void> {
    for (;;) {
      await gaps.waitForEnd(
        failures === 0 ? LOOK_MS : backoffMs(failures - 1, RETRY, options.random),
        signal,
      );
      if (signal.aborted) return;
      const upTo = gaps.ended();
      if (failures === 0 && readUpTo === upTo) continue;
      try {
        const isWhole = await reader.read();
        readUpTo = upTo;
        failures = isWhole ? 0 : failures + 1;
      } catch (error) {
        failures += 1;
        if (!signal.aborted) log.warn({ err: error }, 'could not finish the backfill');
      }
    }
  }

  return {
    start: () => {
      loop = run();
    },
    degraded: () => {
      const channels = reader.remaining();
      if (channels === 0) return null;
      return `catching up on ${channels} ${channels === 1 ? 'channel' : 'channels'}`;
    },
    stop: async () => {
      stopping.abort();
      gaps.releaseAll();
      const late = new AbortController();
      await Promise.race([loop, clock.sleep(GRACE_MS, late.signal).catch(() => undefined)]);
      late.abort();
    },
  };
}
