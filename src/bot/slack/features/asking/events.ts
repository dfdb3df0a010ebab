import { z } from 'zod';
import { isPersonsMessage } from '../../../alerts/message.ts';
import { ask } from '../../../asking/ask.ts';
import type { AskedFile } from '../../../asking/question.ts';
import { goesOn, isQuestion, isStop, questionIn } from '../../../asking/reply.ts';
import { type StopWord, stopByWord, stoppedBy, wasCalledOff } from '../../../asking/stop.ts';
import type { Deps } from '../../../deps.ts';
import { usageMention } from '../../../render/admin/usage.ts';
import { investigationGoesOn } from '../../../render/asking/asking-notices.ts';
import type { Conversation } from '../../../store/conversations.ts';
import { askedFileOf } from '../../agent-context/files.ts';
import { classifySlackError, NotYetError } from '../../errors.ts';
import type { Register } from '../../listening/feature.ts';
import { lookingAt, MessageEvent } from '../../listening/messages.ts';
import { isRefused, postEphemeral } from '../../listening/notify.ts';
import { timeOfTs } from '../../timestamp.ts';
import { isForRecord, takeFromRecord } from '../issues/ending.ts';

interface MessageQuestion {
  /** As Slack sends it, with mentions as `<@U…>`. */
  text: string;
  /** The text without the mention of the bot; empty if there is neither text nor a file. */
  question: string;
  files: AskedFile[];
}

/** A message with only files asks what is in them. */
function questionOf(event: MessageEvent, { botUserId }: { botUserId: string }): MessageQuestion {
  const { text = '' } = event;
  const files = attachedTo(event);
  const question = questionIn(text, botUserId);
  if (question !== '' || files.length === 0) return { text, question, files };
  const about = files.length === 1 ? 'What does the attached file say?' : 'What do the attached files say?';
  return { text: `${text} ${about}`, question: about, files };
}

/** A message's attachments, except those that its author has deleted. */
export function attachedTo({ files = [] }: Pick<MessageEvent, 'files'>): AskedFile[] {
  return files.flatMap((raw) => askedFileOf(raw) ?? []);
}

/** Asks a question in the thread of its message, or in one that it starts. The same message is asked once. */
async function askInThread(
  { channel, ts, thread_ts, app_context }: MessageEvent,
  asker: string,
  { question, files, calls = false }: MessageQuestion & { calls?: boolean },
  deps: Deps,
): Promise<void> {
  const threadTs = thread_ts ?? ts;
  await ask(
    {
      id: `${channel}:${ts}`,
      channel,
      threadTs,
      asker,
      text: question,
      writtenAt: timeOfTs(ts),
      ts,
      calls,
      files,
      lookingAt: lookingAt(app_context),
    },
    deps,
  );
}

/** The thread of a message that says "stop"; `null` at the top of a direct message, if there is no thread yet. */
function threadOf({ channel_type, ts, thread_ts }: MessageEvent): string | null {
  return channel_type === 'im' && thread_ts === undefined ? null : (thread_ts ?? ts);
}

/**
 * A bare "stop" cancels the answers in progress in its thread. If there is none, nothing happens, unless the question
 * arrives later than the "stop" that followed it. At the top of a direct message, if there is no thread yet, it
 * cancels whatever is being answered to that person. However late it arrives, it never stops a question asked after it.
 *
 * @returns whether it stopped anything
 */
async function stopInThread(where: Omit<StopWord, 'who'>, who: string, deps: Deps): Promise<boolean> {
  const word: StopWord = { ...where, who };
  const { channel, threadTs, ts } = where;
  const event = { channel, ts, ...(threadTs === null || threadTs === ts ? {} : { thread_ts: threadTs }) };
  const stopsSomething = (await stoppedBy(word, deps.store)).length > 0;
  // Without an answer in progress, nobody gets a refusal to stop one.
  const mayNot = stopsSomething ? isRefused(event, who, deps) : deps.people.refusal(who);
  return !(await mayNot) && (await stopByWord(word, deps));
}

/**
 * Asks the agent a person's reply in a thread with a conversation, or anything in a direct message. "stop" cancels the answers in progress there.
 */
export async function continueConversation(event: MessageEvent, deps: Deps): Promise<void> {
  const { channel, user } = event;
  if (user === undefined) return;
  await waitForPlace(event, deps);
  const { botUserId } = deps.identity;
  const asked = questionOf(event, deps.identity);
  const isDm = event.channel_type === 'im';
  if (isStop(asked.question)) {
    // In a channel, Slack also delivers it as a mention; handling both would stop the next answer as well.
    const comesTwice = !isDm && asked.text.includes(`<@${botUserId}`);
    if (!comesTwice) await stopInThread({ channel, threadTs: threadOf(event), ts: event.ts }, user, deps);
    return;
  }
  if (isForRecord(asked.question)) {
    // In a channel, Slack also delivers it as a mention, which is the one that is kept.
    if (!isDm && asked.text.includes(`<@${botUserId}`)) return;
    if (isDm && event.thread_ts !== undefined) {
      if (await isRefused(event, user, deps)) return;
      if (await takeFromRecord(asked.question, event, user, deps)) return;
    }
  }
  const conversation = await asItWas(event, deps);
  const listens = isDm && conversation?.listening !== false && isQuestion(asked.question);
  if (!listens && !goesOn(conversation, asked.text, botUserId)) return;
  if (!isDm && conversation !== null && wasBefore(event, conversation)) return;
  if (await isRefused(event, user, deps)) return;
  if (!isDm && (await takeFromRecord(asked.question, event, user, deps))) return;
  await askInThread(event, user, { ...asked, calls: asked.text.includes(`<@${botUserId}`) }, deps);
}

/** How soon to look again for the place of a message that is being posted. */
const PLACED_SOON_MS = 250;

/**
 * A message of ours can be read, and answered, before Slack's response has said where it is. What is written in the thread that it
 * may have started waits for that: only then is it known what the thread is about.
 *
 * @throws {NotYetError}
 */
async function waitForPlace(
  { channel, ts, thread_ts = ts }: MessageEvent,
  { store, clock }: Deps,
): Promise<void> {
  if (thread_ts === ts) return;
  const nextAttempt = await store.outbox.unplaced(channel, timeOfTs(thread_ts));
  if (nextAttempt === null) return;
  throw new NotYetError(
    'a message that may have started its thread is still being posted',
    Math.max(PLACED_SOON_MS, nextAttempt - clock.now()),
  );
}

/**
 * Whether a reply was written before the mention that began the conversation; replies can arrive out of order. Such a
 * reply was meant for people, not for the agent.
 */
function wasBefore({ channel, ts }: MessageEvent, { id }: Conversation): boolean {
  return id.startsWith(`${channel}:`) && Number(ts) < Number(id.slice(channel.length + 1));
}

/** The thread's conversation as it was when the reply was written, before anybody pressed *Stop listening*. */
async function asItWas(
  { channel, ts, thread_ts }: MessageEvent,
  { store, clock }: Deps,
): Promise<Conversation | null> {
  const conversation = await store.conversations.byThread(channel, thread_ts ?? ts);
  if (conversation?.listening !== false) return conversation;
  const isOlder = await wasCalledOff(store, conversation.id, { ts, asker: '' }, clock.now());
  return isOlder ? { ...conversation, listening: true } : conversation;
}

/** A mention that arrives within this time of being written is not out of order: nobody replies faster. */
const LATE_MS = 1_000;
const MOST = 100;

const Thread = z.looseObject({ messages: z.array(z.looseObject({ ts: z.string() })).default([]) });

/**
 * When the mention that began a conversation arrives late, asks the replies that overtook it: they were ignored,
 * because there was no conversation yet. Reads them from the thread; those already asked are not asked twice.
 *
 * @throws the client's error if Slack could not be reached; retrying may help
 */
async function takeEarlyReplies(mention: MessageEvent, deps: Deps): Promise<void> {
  const { channel, ts, thread_ts } = mention;
  if (deps.clock.now() - timeOfTs(ts) < LATE_MS) return;
  const thread = thread_ts ?? ts;
  const conversation = await deps.store.conversations.byThread(channel, thread);
  if (conversation?.id !== `${channel}:${ts}`) return;
  for (const raw of await writtenSince({ channel, ts: thread, oldest: ts }, deps)) {
    const reply = MessageEvent.safeParse({ ...raw, channel });
    if (raw.ts > ts && reply.success && isPersonsMessage(raw)) await continueConversation(reply.data, deps);
  }
}

async function writtenSince(
  thread: { channel: string; ts: string; oldest: string },
  { client, log }: Deps,
): Promise<z.infer<typeof Thread>['messages']> {
  try {
    return Thread.parse(await client.conversations.replies({ ...thread, limit: MOST })).messages;
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused') throw error;
    log.warn(
      { channel: thread.channel, reason: failure.error },
      'could not read the replies that arrived before their mention',
    );
    return [];
  }
}

export const appMention: Register = (app, deps) => {
  app.event('app_mention', async ({ event }) => {
    await takeMention(event, deps);
    const mention = MessageEvent.safeParse(event);
    if (mention.success) await takeEarlyReplies(mention.data, deps);
  });
};

/**
 * Asks the agent a mention, live or from the history, in its thread or in one that it starts. Slack may also deliver
 * the same mention as a `message`; it is asked once.
 *
 * @param raw the event as Slack sends it
 */
export async function takeMention(raw: unknown, deps: Deps): Promise<void> {
  const parsed = MessageEvent.safeParse(raw);
  if (!parsed.success || !isPersonsMessage(parsed.data)) return;
  await waitForPlace(parsed.data, deps);
  const { channel, thread_ts, ts, user } = parsed.data;
  if (user === undefined || (await isRefused(parsed.data, user, deps))) return;
  const asked = questionOf(parsed.data, deps.identity);
  if (asked.question === '') {
    return postEphemeral(usageMention(), { channel, user, threadTs: thread_ts ?? null }, deps);
  }
  if (isStop(asked.question)) {
    await stopInThread({ channel, threadTs: threadOf(parsed.data), ts }, user, deps);
    return;
  }
  if (await takeFromRecord(asked.question, parsed.data, user, deps)) return;
  if (isQuestion(asked.question)) await askInThread(parsed.data, user, { ...asked, calls: true }, deps);
}

const Ts = z.string().regex(/^\d{1,16}\.\d{1,9}$/u);
const Stopped = z.looseObject({ channel: z.string(), user: z.string(), thread_ts: Ts, event_ts: Ts });

/** Somebody pressed Slack's stop button in a thread, which does the same as a bare "stop". */
export const agentSessionStopped: Register = (app, deps) => {
  app.event('agent_session_stopped', async ({ event }) => {
    const parsed = Stopped.safeParse(event);
    if (parsed.success) await stopSession(parsed.data, deps);
    else deps.log.warn('ignored a press of the stop button that cannot be read');
  });
};

async function stopSession(
  { channel, user, thread_ts: threadTs, event_ts: ts }: z.infer<typeof Stopped>,
  deps: Deps,
): Promise<void> {
  const { store } = deps;
  if (await stopInThread({ channel, threadTs, ts }, user, deps)) return;
  if (await isRefused({ channel, ts, thread_ts: threadTs }, user, deps)) return;
  // Slack shows the session as working until it receives another status.
  await store.sessions.stopped({ channel, threadTs }, timeOfTs(ts));
  const issue = await store.issues.byThread(channel, threadTs);
  if (issue?.state === 'created' && issue.status === 'investigating') {
    await postEphemeral(investigationGoesOn(), { channel, user, threadTs }, deps);
  }
}

const Named = z.looseObject({ channel: z.string(), thread_ts: z.string() });

/** A session's title changed: a title that a person chose is never overwritten. */
export const agentSessionTitleChanged: Register = (app, deps) => {
  app.event('agent_session_title_changed', async ({ event }) => {
    const parsed = Named.safeParse(event);
    if (!parsed.success) return;
    const { channel, thread_ts: threadTs } = parsed.data;
    await deps.store.sessions.named({ channel, threadTs }, deps.clock.now());
  });
};
