import type { AnyChunk, KnownBlock } from '@slack/types';
import type { SessionStatus } from '../../store/sessions.ts';
import { call, type Slack } from './calls.ts';
import { bearsKey, findMessage, messagesSince, metadataOf } from './messages.ts';

/**
 * Slack's streaming calls. The first call determines the form of all that follow; here it is chunks, the only form
 * that can contain a button.
 */
interface Stream {
  channel: string;
  ts: string;
}

/** Opens a stream in a direct message's thread, and returns its `ts`. */
export async function startStream(
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
    ...(words === '' ? [] : [said(words)]),
  ];
  const { ts } = await call(slack, { method: 'chat.startStream', channel }, (client) =>
    client.chat.startStream({ channel, thread_ts: threadTs, ...(chunks.length === 0 ? {} : { chunks }) }),
  );
  if (ts === undefined) throw new Error('Slack answered chat.startStream without a ts');
  return ts;
}

/** Appends words to an open stream. */
export async function appendStream(slack: Slack, { channel, ts }: Stream, words: string): Promise<void> {
  await call(slack, { method: 'chat.appendStream', channel, message: ts }, (client) =>
    client.chat.appendStream({ channel, ts, chunks: [said(words)] }),
  );
}

/**
 * Ends a stream; from then on the message has its key, and can be edited.
 *
 * @param session what Slack shows of the thread's session from then on; `null` if it has none
 */
export async function stopStream(
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

function said(text: string): AnyChunk & { type: 'markdown_text' } {
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
export async function findStream(
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
    if (bearsKey(message, key)) return message.ts ?? null;
    const isOurs = message.bot_id !== undefined && message.ts !== where.threadTs;
    const isPlain = message.metadata === undefined && message.files === undefined;
    if (isOurs && isPlain) unkeyed = message.ts ?? null;
  }
  return unkeyed;
}
