import { isPersonsMessage } from '../../alerts/sender.ts';
import type { Conversation } from '../../store/conversations.ts';
import type { Store } from '../../store/open.ts';
import { classifySlackError } from '../errors.ts';
import { isOwn } from '../listeners/events/schema.ts';
import { slackTs } from '../timestamp.ts';
import { asEvent } from './as-event.ts';
import type { ReadChannel } from './channel.ts';
import type { BackfillDeps } from './deps.ts';
import { inOrder, type Past, replyPages } from './pages.ts';
import { mentionsUs, take } from './take.ts';
import { NotAllTakenError } from './trouble.ts';

const HOUR_MS = 60 * 60_000;
const MOST_THREADS = 100;

interface Thread {
  channel: string;
  ts: string;
  activeAt: number;
  /** `null` in an issue's thread where nobody asked the agent. */
  conversation: Conversation | null;
}

/**
 * Takes the replies that were missed: those of tools in channels that were read, those of people where they
 * talk with the agent or begin to. Only threads that were active in the last hour are read, the newest first.
 *
 * @throws a passing failure of Slack's; NotAllTakenError.
 */
export async function readThreads(channels: readonly ReadChannel[], deps: BackfillDeps): Promise<void> {
  const { store, clock, log } = deps.listeners;
  const since = clock.now() - HOUR_MS;
  const read = new Map(channels.map((one) => [one.channel, one]));
  let failed = 0;
  for (const thread of await activeThreads(store, since)) {
    const channel = read.get(thread.channel);
    if (thread.conversation === null && channel === undefined) continue;
    try {
      failed += await readThread(thread, channel, since, deps);
    } catch (error) {
      const failure = classifySlackError(error);
      if (failure.kind !== 'refused') throw error;
      log.warn(
        { channel: thread.channel, thread: thread.ts, reason: failure.error },
        'a thread could not be read for what was missed in it',
      );
    }
  }
  if (failed > 0) throw new NotAllTakenError(`${failed} replies could not be taken`);
}

async function activeThreads(store: Store, since: number): Promise<Thread[]> {
  const threads = new Map<string, Thread>();
  for (const { channel, thread_ts, created_at, last_repeat_at } of await store.issues.firingSince(
    since,
    MOST_THREADS,
  )) {
    if (thread_ts === null) continue;
    const activeAt = Math.max(created_at, last_repeat_at ?? 0);
    threads.set(`${channel} ${thread_ts}`, { channel, ts: thread_ts, activeAt, conversation: null });
  }
  for (const conversation of await store.conversations.activeSince(since, MOST_THREADS)) {
    const { channel, thread_ts, updated_at } = conversation;
    if (thread_ts === null) continue;
    const activeAt = Math.max(updated_at, threads.get(`${channel} ${thread_ts}`)?.activeAt ?? 0);
    threads.set(`${channel} ${thread_ts}`, { channel, ts: thread_ts, activeAt, conversation });
  }
  return [...threads.values()].sort((a, b) => b.activeAt - a.activeAt).slice(0, MOST_THREADS);
}

/** @returns how many replies could not be taken. */
async function readThread(
  { channel, ts, conversation }: Thread,
  read: ReadChannel | undefined,
  since: number,
  deps: BackfillDeps,
): Promise<number> {
  const oldest = [slackTs(since), ...(read ? [read.range.unsureFrom] : [])].sort()[0] ?? slackTs(since);
  // Before the conversation began, people talked with each other there.
  let talkSince = conversation === null ? null : slackTs(conversation.created_at);
  let failed = 0;
  for (const past of await inOrder(replyPages(deps, { channel, ts, oldest }))) {
    const isPersons = isPersonsMessage(past);
    const isMissed = read !== undefined && past.ts > read.range.gapFrom;
    if (isPersons && isMissed && mentionsUs(past, deps) && (talkSince === null || past.ts < talkSince)) {
      talkSince = past.ts;
    }
    const event = isPersons
      ? await question(past, channel, talkSince, deps)
      : await statusLine(past, read, deps);
    if (event !== null && !(await take(event, deps))) failed += 1;
  }
  return failed;
}

/** A person's reply, where it may be a question to the agent that was not taken yet. */
async function question(
  past: Past,
  channel: string,
  talkSince: string | null,
  { listeners }: BackfillDeps,
): Promise<ReturnType<typeof asEvent>> {
  if (talkSince === null || past.ts < talkSince) return null;
  if ((await listeners.store.questions.get(`${channel}:${past.ts}`)) !== null) return null;
  const isDm = channel.startsWith('D');
  return asEvent(past, null, { channel, after: '', ...(isDm ? { channelType: 'im' } : {}) });
}

/** A tool's reply in a watched channel. */
async function statusLine(
  past: Past,
  read: ReadChannel | undefined,
  { listeners }: BackfillDeps,
): Promise<ReturnType<typeof asEvent>> {
  if (read === undefined || isOwn(past, listeners.identity)) return null;
  const { channel, channelType, range } = read;
  const decided = await listeners.store.alerts.find(channel, past.ts);
  return asEvent(past, decided, { channel, channelType, after: range.gapFrom });
}
