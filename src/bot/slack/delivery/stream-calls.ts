import type { AnyChunk, KnownBlock } from '@slack/types';
import { call, type Slack } from './calls.ts';
import { metadataOf } from './messages.ts';

/**
 * Slack's streams, call by call. The first call decides in which form all that follows must come; here it is chunks,
 * the one form that holds a button too.
 */
interface Stream {
  channel: string;
  ts: string;
}

/** Opens a stream in a thread of a direct message, and answers its `ts`. */
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

/** Adds words to an open stream. */
export async function appendStream(slack: Slack, { channel, ts }: Stream, words: string): Promise<void> {
  await call(slack, { method: 'chat.appendStream', channel, message: ts }, (client) =>
    client.chat.appendStream({ channel, ts, chunks: [said(words)] }),
  );
}

/** Ends a stream; from then on the message bears its key, and can be edited. */
export async function stopStream(slack: Slack, { channel, ts }: Stream, key: string): Promise<void> {
  await call(slack, { method: 'chat.stopStream', channel }, (client) =>
    client.chat.stopStream({ channel, ts, metadata: metadataOf(key) }),
  );
}

function said(text: string): AnyChunk & { type: 'markdown_text' } {
  return { type: 'markdown_text', text };
}
