import type { AnyChunk, KnownBlock } from '@slack/types';
import { stopButton } from '../../render/asking/answer.ts';
import { limits } from '../../render/limits.ts';
import { settledMarkdown } from '../../render/markdown/growing.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { SessionStatus } from '../../store/sessions.ts';
import { classifySlackError } from '../errors.ts';
import { call, mayHaveHappened, type Slack, TooEarly } from './calls.ts';
import type { Content, DeliverOptions, Growing } from './content.ts';
import { findMessage, hasKey, messagesSince, metadataOf } from './messages.ts';
import type { SentMessage } from './sent.ts';
import { observeWait, writtenTs } from './waits.ts';

/**
 * Slack's streaming calls. The first call determines the form of all that follow; here it is chunks, the only form
 * that can contain a button.
 */
interface Stream {
  channel: string;
  ts: string;
}

/** Opens a stream in a direct message's thread, and returns its `ts`. */
async function startStream(
  slack: Slack,
  {
    channel,
    threadTs,
    above,
    words,
  }: { channel: string; threadTs: string; above: KnownBlock[]; words: string },
): Promise<string> {
  const chunks: AnyChunk[] = [
    ...(above.length === 0 ? [] : [{ type: 'blocks' as const, blocks: above }]),
    ...(words === '' ? [] : [textChunk(words)]),
  ];
  const { ts } = await call(slack, { method: 'chat.startStream', channel }, (client) =>
    client.chat.startStream({ channel, thread_ts: threadTs, ...(chunks.length === 0 ? {} : { chunks }) }),
  );
  if (ts === undefined) throw new Error('Slack answered chat.startStream without a ts');
  return ts;
}

async function appendStream(slack: Slack, { channel, ts }: Stream, words: string): Promise<void> {
  await call(slack, { method: 'chat.appendStream', channel, message: ts }, (client) =>
    client.chat.appendStream({ channel, ts, chunks: [textChunk(words)] }),
  );
}

/**
 * Ends a stream; from then on the message has its key, and can be edited.
 *
 * @param session what Slack shows of the thread's session from then on; `null` if it has none
 */
async function stopStream(
  slack: Slack,
  { channel, ts }: Stream,
  key: string,
  session: SessionStatus | null,
): Promise<void> {
  const status = session === null ? {} : { session_status: session };
  await call(slack, { method: 'chat.stopStream', channel }, (client) =>
    client.chat.stopStream({ channel, ts, metadata: metadataOf(key), ...status }),
  );
}

function textChunk(text: string): AnyChunk & { type: 'markdown_text' } {
  return { type: 'markdown_text', text };
}

/** An older one without a key is another answer, whose stream Slack ended. */
const MOMENT_MS = 60_000;

interface Place {
  channel: string;
  threadTs: string;
  key: string;
}

/**
 * After a start with an unknown outcome: the `ts` of the stream in a direct message's thread. Everything we post has a
 * key, except a stream that has not ended; so a message of ours without one is it.
 *
 * @param since when the answer was first requested, in milliseconds
 * @param askedAt when the question was written, by Slack's clock, which ours may be ahead of; `null` if unknown
 */
async function findStream(
  slack: Slack,
  where: Place,
  since: number,
  askedAt: number | null,
): Promise<string | null> {
  const usual = since - MOMENT_MS;
  const found = await newestWithout(slack, where, usual);
  if (found !== null) return found;
  const wider = askedAt !== null && askedAt < usual ? await newestWithout(slack, where, askedAt) : null;
  return wider ?? findMessage(slack, where, since);
}

/** The message with the key, otherwise our newest one without a key. */
async function newestWithout(slack: Slack, { key, ...where }: Place, since: number): Promise<string | null> {
  let unkeyed: string | null = null;
  for await (const message of messagesSince(slack, where, since)) {
    if (hasKey(message, key)) return message.ts ?? null;
    const isOurs = message.bot_id !== undefined && message.ts !== where.threadTs;
    const isPlain = message.metadata === undefined && message.files === undefined;
    if (isOurs && isPlain) unkeyed = message.ts ?? null;
  }
  return unkeyed;
}

/** Slack ends a stream after about five minutes. */
const LONGEST_MS = 4.5 * 60_000;
/** Beyond this, an edit is faster than waiting for the stream. */
const STREAM_CALL_TIMEOUT_MS = 5_000;
const ASK_AGAIN_MS = 10 * 60_000;
/** Slack does not support streams, or not for this app: not tried again for every question. */
const NEVER_HERE = /^(?:unknown_method|missing_scope|not_allowed|feature_|access_denied|no_permission)/u;
/** Slack's errors for a button that it does not accept in a stream. */
const NO_BUTTON = /^(?:invalid_(?:chunk|block|argument)|streaming_mode)/u;

type Messages = Content & { kind: 'messages' };

/**
 * Streams the words of a growing answer to Slack, and ends the stream when nothing more
 * will come. One call at a time: the outbox runs one intent per channel.
 *
 * @param sent updated with what is in Slack
 * @returns true if Slack shows everything; false if the message must be posted or edited
 */
export async function throughStream(
  row: OutboxRow,
  content: Messages,
  sent: SentMessage,
  options: DeliverOptions,
): Promise<boolean> {
  if (sent[0] === undefined && row.sending === 0) await takeUp(row, content, sent, options);
  if (sent[0] === undefined) return begin(row, content, sent, options);
  if (sent[0].stream !== 'open') return false;
  if (content.stream && (await grow(row, content.channel, sent[0].ts, content.stream, options))) return true;
  await end(row, content.channel, sent, options);
  return false;
}

/** After a start with an unknown outcome: a stream has no key until it ends, and is found by that. */
async function takeUp(
  row: OutboxRow,
  content: Messages,
  sent: SentMessage,
  options: DeliverOptions,
): Promise<void> {
  const { channel, threadTs } = content;
  if (!isDm(channel) || threadTs === null) return;
  const where = { channel, threadTs, key: streamKey(row) };
  const ts = await findStream(options.slack, where, row.createdAt, writtenAt(row));
  if (ts === null) return;
  sent[0] = { ts, hash: '', stream: 'open' };
  await options.store.outbox.recordSent(row.key, JSON.stringify(sent));
}

/** When a question was written, in milliseconds by Slack's clock: the `ts` of its message. */
function writtenAt(row: OutboxRow): number | null {
  const ts = writtenTs(row);
  return ts === null ? null : Number(ts) * 1_000;
}

async function begin(
  row: OutboxRow,
  { channel, threadTs, stream }: Messages,
  sent: SentMessage,
  options: DeliverOptions,
): Promise<boolean> {
  const { slack, streams, sessions } = options;
  if (stream === undefined || threadTs === null) return false;
  const words = grownText(stream);
  // Until the first words arrive, the thread's session shows that an answer is coming.
  if (words === '' && (await sessions.show({ channel, threadTs }, 'processing')) !== 'refused') return true;
  if (slack.clock.now() < streams.refusedUntil || words.length > limits.markdownChunk) return false;
  const ts = await start(row, { channel, threadTs, words }, options);
  if (ts === null) return false;
  sent[0] = { ts, hash: '', stream: 'open' };
  await options.store.outbox.recordSent(row.key, JSON.stringify(sent));
  streams.open.set(row.key, { streamed: words, openedAt: slack.clock.now() });
  await options.checkpoint('stream: recorded');
  if (words !== '') observeWait(row, { ts, threadTs }, slack.metrics);
  return true;
}

/** @returns `null` if Slack certainly opened no stream: the answer is posted instead */
async function start(
  row: OutboxRow,
  where: { channel: string; threadTs: string; words: string },
  options: DeliverOptions,
): Promise<string | null> {
  const { slack, store, streams, sessions, checkpoint } = options;
  const { channel } = where;
  if (slack.pace.earliest({ method: 'chat.startStream', channel }, slack.clock.now()) > slack.clock.now())
    return null;
  await store.outbox.sending(row.key, 0);
  await sessions.streamOpens(where);
  await checkpoint('stream: before start');
  try {
    const ts = await startWithButton(row, where, options);
    await checkpoint('stream: started');
    return ts;
  } catch (error) {
    if (!mayHaveHappened(error)) await store.outbox.notSending(row.key);
    const refused = refusalOf(error);
    if (refused === null && !(error instanceof TooEarly)) throw error;
    if (refused !== null) logFallback(slack, row, error);
    if (refused !== null && NEVER_HERE.test(refused)) streams.refusedUntil = slack.clock.now() + ASK_AGAIN_MS;
    return null;
  }
}

/** The button is above the words, so that it does not split them. */
async function startWithButton(
  row: OutboxRow,
  where: { channel: string; threadTs: string; words: string },
  { slack, streams }: DeliverOptions,
): Promise<string> {
  if (streams.withoutButton || row.questionId === null) return startStream(slack, { ...where, above: [] });
  const above = [stopButton(row.questionId)];
  try {
    return await startStream(slack, { ...where, above });
  } catch (error) {
    if (!NO_BUTTON.test(refusalOf(error) ?? '')) throw error;
    const ts = await startStream(slack, { ...where, above: [] });
    streams.withoutButton = true;
    slack.log.warn({ err: error }, 'Slack does not accept buttons in a stream; streaming without them');
    return ts;
  }
}

/** @returns false if the stream cannot continue */
async function grow(
  row: OutboxRow,
  channel: string,
  ts: string,
  growing: Growing,
  { slack, streams, checkpoint, onStopped }: DeliverOptions,
): Promise<boolean> {
  const open = streams.open.get(row.key);
  const words = grownText(growing);
  const now = slack.clock.now();
  if (!open || now - open.openedAt > LONGEST_MS) return false;
  if (!words.startsWith(open.streamed) || words.length > limits.markdownChunk) return false;
  if (words === open.streamed) return true;
  try {
    await appendStream(slack, { channel, ts }, words.slice(open.streamed.length));
  } catch (error) {
    if (error instanceof TooEarly && error.until - now > STREAM_CALL_TIMEOUT_MS) return false;
    if (error instanceof TooEarly || classifySlackError(error).kind === 'unreachable') throw error;
    if (refusalOf(error) === 'stopped_by_user' && row.questionId !== null) await onStopped(row.questionId);
    logFallback(slack, row, error);
    return false;
  }
  if (open.streamed === '') observeWait(row, { ts: `${now / 1000}`, threadTs: null }, slack.metrics);
  open.streamed = words;
  await checkpoint('stream: appended');
  return true;
}

/** From here on, the message is edited. A stream whose end Slack rejects has already ended. */
async function end(
  row: OutboxRow,
  channel: string,
  sent: SentMessage,
  options: DeliverOptions,
): Promise<void> {
  const { slack, store, streams, sessions, checkpoint } = options;
  streams.open.delete(row.key);
  const ts = sent[0]?.ts ?? '';
  const thread = row.threadTs === null ? null : { channel, threadTs: row.threadTs };
  const session = thread === null ? null : await sessions.afterStream(thread);
  try {
    await stopStream(slack, { channel, ts }, streamKey(row), session);
    if (thread !== null && session !== null) await sessions.streamEnded(thread, session);
  } catch (error) {
    if (!mayHaveHappened(error) && refusalOf(error) === null) throw error;
    logFallback(slack, row, error);
  }
  await checkpoint('stream: stopped');
  sent[0] = { ts, hash: '', stream: 'over' };
  await store.outbox.recordSent(row.key, JSON.stringify(sent));
}

/**
 * Slack still treats a message as streaming although it was ended: ends it again.
 *
 * @throws if the edit was rejected for that
 */
export async function endAgain(row: OutboxRow, error: unknown, sent: SentMessage, options: DeliverOptions) {
  const first = sent[0];
  if (refusalOf(error) !== 'streaming_state_conflict' || first?.stream !== 'over') return;
  sent[0] = { ...first, stream: 'open' };
  await options.store.outbox.recordSent(row.key, JSON.stringify(sent));
  throw new Error('Slack still treats the message as streaming', { cause: error });
}

function isDm(channel: string): boolean {
  return channel.startsWith('D');
}

function streamKey(row: OutboxRow): string {
  return `${row.key}#0`;
}

function grownText({ opening, text }: Growing): string {
  const words = settledMarkdown(text);
  return words === '' ? '' : opening + words;
}

function refusalOf(error: unknown): string | null {
  const failure = classifySlackError(error);
  return failure.kind === 'refused' ? failure.error : null;
}

function logFallback(slack: Slack, row: OutboxRow, error: unknown): void {
  slack.log.info({ err: error, key: row.key }, 'continuing an answer with edits instead of a stream');
}
