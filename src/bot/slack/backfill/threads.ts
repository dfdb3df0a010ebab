import { isPersonsMessage } from '../../alerts/message.ts';
import type { Conversation } from '../../store/conversations.ts';
import type { Store } from '../../store/open.ts';
import { isOwn } from '../listening/messages.ts';
import { slackTs } from '../timestamp.ts';
import { asEvent } from './as-event.ts';
import type { ReadChannel } from './channel.ts';
import type { BackfillDeps } from './deps.ts';
import { unlessRefused } from './failure.ts';
import { inOrder, type Past, replyPages } from './pages.ts';
import { TALK_MS } from './range.ts';
import { mentionsUs, take } from './take.ts';

/** If nobody asked us there, a thread is read only while its issue is recent. */
const FIRING_MS = 60 * 60_000;
const MOST_THREADS = 100;

interface Thread {
  channel: string;
  ts: string;
  activeAt: number;
  /** `null` in an issue's thread if nobody asked the agent. */
  conversation: Conversation | null;
}

/**
 * Takes missed replies: from tools in the channels that were read, and from people where they talk with the agent or
 * start to. Only recently active threads are read, newest first.
 *
 * @param since the earliest moment at which a person's reply may be missing, as `ts`
 * @returns how many could not be taken
 * @throws a transient failure of Slack's.
 */
export async function readThreads(
  channels: readonly ReadChannel[],
  since: string,
  deps: BackfillDeps,
): Promise<number> {
  const { store, clock } = deps.listeners;
  const read = new Map(channels.map((one) => [one.channel, one]));
  let failed = 0;
  for (const thread of await activeThreads(store, clock.now())) {
    const channel = read.get(thread.channel);
    if (thread.conversation === null && channel === undefined) continue;
    const where = { channel: thread.channel, thread: thread.ts };
    failed += await unlessRefused(where, () => readThread(thread, channel, since, deps), deps);
  }
  return failed;
}

async function activeThreads(store: Store, now: number): Promise<Thread[]> {
  const threads = new Map<string, Thread>();
  for (const { channel, threadTs, createdAt, lastRepeatAt } of await store.issues.firingSince(
    now - FIRING_MS,
    MOST_THREADS,
  )) {
    if (threadTs === null) continue;
    const activeAt = Math.max(createdAt, lastRepeatAt ?? 0);
    threads.set(`${channel} ${threadTs}`, { channel, ts: threadTs, activeAt, conversation: null });
  }
  for (const conversation of await store.conversations.activeSince(now - TALK_MS, MOST_THREADS)) {
    const { channel, threadTs, updatedAt } = conversation;
    if (threadTs === null) continue;
    const activeAt = Math.max(updatedAt, threads.get(`${channel} ${threadTs}`)?.activeAt ?? 0);
    threads.set(`${channel} ${threadTs}`, { channel, ts: threadTs, activeAt, conversation });
  }
  return [...threads.values()].sort((a, b) => b.activeAt - a.activeAt).slice(0, MOST_THREADS);
}

/** @returns how many replies could not be taken. */
async function readThread(
  { channel, ts, conversation }: Thread,
  read: ReadChannel | undefined,
  since: string,
  deps: BackfillDeps,
): Promise<number> {
  const oldest = read && read.range.unsureFrom < since ? read.range.unsureFrom : since;
  let talkSince = await talkBegan(channel, ts, conversation, deps);
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

/** Before that, people were talking with each other; in direct messages they never are. */
async function talkBegan(
  channel: string,
  ts: string,
  conversation: Conversation | null,
  { listeners }: BackfillDeps,
): Promise<string | null> {
  if (conversation === null) return null;
  if (channel.startsWith('D')) return '';
  // The question that starts a thread may itself have been missed, and taken only now.
  const isQuestion = (await listeners.store.questions.get(`${channel}:${ts}`)) !== null;
  return isQuestion ? ts : slackTs(conversation.createdAt);
}

/** A person's reply, if it may be a question to the agent that was not taken yet. */
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
