import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { backoffMs, raceAbort } from '../../../lib/clock.ts';
import { parseAlert } from '../../alerts/parse.ts';
import type { Deps } from '../../deps.ts';
import { hasMessage } from '../../filing/occurrence.ts';
import type { AlertRow } from '../../store/alerts.ts';
import type { Store } from '../../store/open.ts';
import { call, TooEarly } from '../delivery/calls.ts';
import type { Call } from '../delivery/pace.ts';
import { classifySlackError } from '../errors.ts';
import { slackTs } from '../timestamp.ts';

/** A backfill decides with the code of the listeners. */
export interface BackfillDeps extends Deps {
  /** Cancels everything in progress. */
  signal: AbortSignal;
}

const RETRY = { firstMs: 1_000, maxMs: 30_000 };
const TRIES = 5;
const REFUSALS = new Set(['refused', 'token_refused']);

/**
 * Makes a call that nobody is waiting for: within Slack's rate limit, and retried after transient failures.
 *
 * @throws Slack's error if it refuses, or after five failures; the signal's reason as soon as it is aborted.
 */
export async function backgroundCall<T>(
  deps: BackfillDeps,
  which: Omit<Call, 'background'>,
  make: (client: WebClient) => Promise<T>,
): Promise<T> {
  const { clock, signal } = deps;
  for (let tries = 1; ; ) {
    signal.throwIfAborted();
    try {
      // A call that hangs does not delay a shutdown.
      return await raceAbort(signal, call(deps, { ...which, background: true }, make));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TooEarly) {
        await clock.sleep(Math.max(0, error.until - clock.now()), signal);
        continue;
      }
      if (REFUSALS.has(classifySlackError(error).kind) || tries === TRIES) throw error;
      await clock.sleep(backoffMs(tries, RETRY, deps.random), signal);
      tries += 1;
    }
  }
}

const PAGE = 200;

const Past = z.looseObject({
  ts: z.string(),
  thread_ts: z.string().optional(),
  subtype: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
  edited: z.looseObject({ ts: z.string() }).optional().catch(undefined),
});
export type Past = z.infer<typeof Past>;

const Page = z.looseObject({
  messages: z.array(z.unknown()).catch([]),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
});

/** The top level of a channel from a first moment to a last, page by page, in Slack's order. */
export async function* historyPages(
  deps: BackfillDeps,
  range: { channel: string; oldest: string; latest?: string },
): AsyncGenerator<Past[]> {
  let cursor: string | undefined;
  do {
    const asked = { ...range, inclusive: true, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const which = { method: 'conversations.history', channel: range.channel } as const;
    const page = Page.parse(
      await backgroundCall(deps, which, (client) => client.conversations.history(asked)),
    );
    yield page.messages.flatMap((message) => Past.safeParse(message).data ?? []);
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
}

/** Anything older is only counted. */
const TOO_OLD_MS = 6 * 60 * 60_000;
/** Slack does not deliver in order: what was posted just before the newest message may be missing too. */
const OVERLAP_MS = 60_000;
const MOST_ISSUES = 200;
const MOST_MESSAGES = 50;

/** Which part of a channel's history is read, as `ts`. */
export interface Range {
  /** The newest message that was taken when it arrived. */
  gapFrom: string;
  /** A little before that: anything after it may have been missed. */
  unsureFrom: string;
  /** Messages before this are only counted. */
  tooOldBefore: string;
  /** Reading starts here, which includes messages that open issues are based on and that may have been edited since. */
  readFrom: string;
}

export async function rangeOf(channel: string, gapFrom: string, store: Store, now: number): Promise<Range> {
  const tooOldBefore = slackTs(now - TOO_OLD_MS);
  const unsureFrom = slackTs(Math.floor(Number(gapFrom) * 1_000) - OVERLAP_MS);
  const firing = await oldestFiring(channel, store, now);
  const begin = firing !== null && firing < unsureFrom ? firing : unsureFrom;
  return { gapFrom, unsureFrom, tooOldBefore, readFrom: begin > tooOldBefore ? begin : tooOldBefore };
}

/** The oldest recent message in this channel that belongs to an issue that is still firing. */
async function oldestFiring(channel: string, store: Store, now: number): Promise<string | null> {
  const since = slackTs(now - TOO_OLD_MS);
  let oldest: string | null = null;
  for (const issue of await store.issues.firingSince(now - TOO_OLD_MS, MOST_ISSUES)) {
    for (const row of await store.alerts.ofIssue(issue.id, MOST_MESSAGES)) {
      const counts =
        row.channel === channel && row.ts >= since && row.threadTs === null && hasMessage(row.ts);
      if (counts && (oldest === null || row.ts < oldest)) oldest = row.ts;
    }
  }
  return oldest;
}

/**
 * The event that Slack would have sent for a missed message, or for a missed edit.
 *
 * @param decided the existing decision on it
 * @param place.channelType as in events: `channel`, `group` or `mpim`
 * @param place.after everything up to this moment was taken when it arrived
 * @returns `null` if it was already taken and has not changed.
 */
export function asEvent(
  past: Past,
  decided: AlertRow | null,
  place: { channel: string; channelType: string; after: string },
): (Record<string, unknown> & { ts: string; text?: string | undefined }) | null {
  const common = { type: 'message', channel: place.channel, channel_type: place.channelType };
  if (decided === null) return past.ts > place.after ? { ...past, ...common, event_ts: past.ts } : null;
  // An edit from before the gap was already seen; some tools' messages do not say that they were edited.
  const hasChanged =
    past.edited === undefined ? parseAlert(past).kind !== decided.kind : past.edited.ts > place.after;
  if (!hasChanged) return null;
  const ts = past.edited?.ts ?? past.ts;
  // Without `previous_message` the parser takes the current state as new; filing compares it with the decision.
  return { ...common, subtype: 'message_changed', hidden: true, ts, event_ts: ts, message: past };
}
