import type { OutboxRow } from '../../store/outbox.ts';
import { classifySlackError } from '../errors.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { call, type Slack, TooEarly } from './calls.ts';
import type { Streams } from './streams.ts';

/** The pane may be enabled at any time; until then, Slack need not be asked for every question. */
const ASK_AGAIN_MS = 10 * 60_000;
/** These errors are about the thread, not about the app. */
const OF_THE_THREAD = new Set(['invalid_thread_ts', 'thread_not_found', 'channel_not_found']);

interface Thread {
  channel: string;
  threadTs: string;
}

/**
 * Shows in a thread that an answer is coming, until its first words arrive: as the status of its session, or in the words
 * of old where Slack has no session for this app. Best effort: neither awaited nor retried.
 *
 * @returns false if Slack cannot show it there, so that a message must be posted
 */
export async function showThinking(
  row: OutboxRow,
  thread: Thread,
  status: string,
  { slack, streams, sessions }: { slack: Slack; streams: Streams; sessions: Pick<Sessions, 'show'> },
): Promise<boolean> {
  if ((await sessions.show(thread, 'processing')) !== 'refused') return true;
  const now = slack.clock.now();
  if (now < streams.refusedUntil.statuses) return false;
  if (streams.statuses.get(row.key) === status) return true;
  try {
    await setStatus(slack, thread, status);
    streams.statuses.set(row.key, status);
    return true;
  } catch (error) {
    const failure = classifySlackError(error);
    if (error instanceof TooEarly || failure.kind !== 'refused') return true;
    if (!OF_THE_THREAD.has(failure.error)) streams.refusedUntil.statuses = now + ASK_AGAIN_MS;
    return false;
  }
}

/** There will be no answer: clears the status, because no message replaces it. */
export async function endThinking(
  row: OutboxRow,
  { slack, streams }: { slack: Slack; streams: Streams },
): Promise<void> {
  if (!streams.statuses.delete(row.key) || row.threadTs === null) return;
  await setStatus(slack, { channel: row.channel, threadTs: row.threadTs }, '').catch((error: unknown) =>
    slack.log.debug({ err: error, key: row.key }, 'could not clear the status of a thread'),
  );
}

async function setStatus(slack: Slack, { channel, threadTs }: Thread, status: string): Promise<void> {
  await call(slack, { method: 'assistant.threads.setStatus', channel }, (client) =>
    client.assistant.threads.setStatus({ channel_id: channel, thread_ts: threadTs, status }),
  );
}
