import { setImmediate as aTurn } from 'node:timers/promises';
import { isAuthored, SlackMessage } from '../../alerts/message.ts';
import { isOwn } from '../listening/messages.ts';
import { asEvent } from './as-event.ts';
import { backgroundCall } from './background-call.ts';
import type { BackfillDeps } from './deps.ts';
import { ArchivedError, NotAllTakenError } from './failure.ts';
import { historyPages, inOrder, type Past } from './pages.ts';
import { type Range, rangeOf } from './range.ts';
import { take } from './take.ts';

/** A channel whose history was read. */
export interface ReadChannel {
  channel: string;
  /** As in events. */
  channelType: string;
  range: Range;
  /** How many messages from others were posted since the gap began, without those that are too old. */
  came: number;
}

/** Whether somebody else wrote it: neither Gumshoe, nor a notice of Slack's. */
export function isOthers(past: Past, { listeners }: Pick<BackfillDeps, 'listeners'>): boolean {
  const message = SlackMessage.safeParse(past);
  return message.success && isAuthored(message.data) && !isOwn(past, listeners.identity);
}

/**
 * Decides on missed top-level messages of a channel, oldest first, and on missed edits (DESIGN section 4).
 *
 * @throws Slack's refusal; ArchivedError; NotAllTakenError.
 */
export async function readChannel(
  { channel, gapFrom }: { channel: string; gapFrom: string },
  deps: BackfillDeps,
): Promise<ReadChannel> {
  const { store, clock } = deps.listeners;
  const channelType = await typeOf(channel, deps);
  const range = await rangeOf(channel, gapFrom, store, clock.now());
  const messages = await inOrder(historyPages(deps, { channel, oldest: range.readFrom }));
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
  if (failed > 0) throw new NotAllTakenError(`could not process ${failed} of its messages`);
  return { channel, channelType, range, came };
}

/** The type of the channel, which may have changed meanwhile. */
async function typeOf(channel: string, deps: BackfillDeps): Promise<string> {
  const { channel: info } = await backgroundCall(deps, { method: 'conversations.info', channel }, (client) =>
    client.conversations.info({ channel }),
  );
  if (info?.is_archived === true) throw new ArchivedError('the channel is archived');
  await deps.listeners.store.channels.learn(channel, info?.is_private !== false);
  if (info?.is_mpim === true) return 'mpim';
  return info?.is_private === false ? 'channel' : 'group';
}
