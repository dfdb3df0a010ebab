import type { WebClient } from '@slack/web-api';
import { simplerForms } from '../../render/plain.ts';
import type { Rendered } from '../../render/rendered.ts';
import { classifySlackError, refusesBlocks } from '../errors.ts';
import { call, type Slack } from './calls.ts';
import { SPACING_MS } from './pace.ts';

const METADATA_TYPE = 'gumshoe_message';
const LOOK_BACK_PAGES = 5;
/** A channel has more messages than a thread. */
const PER_PAGE = { thread: 100, channel: 200 };
/** Our clock and Slack’s may differ by minutes. */
const LOOK_BACK_MS = 10 * 60_000;
const TAKE_BACK_TRIES = 3;

interface Place {
  channel: string;
  threadTs: string | null;
}

export interface Where extends Place {
  /** Identifies the message, in the outbox and in Slack. */
  key: string;
  /** Shown in the channel as well as in its thread. */
  broadcast?: boolean;
}

/**
 * Posts a message with its key, and returns its `ts`.
 *
 * @returns `null` if Slack posted a reply at top level because its parent is gone; the reply has been deleted again.
 */
export async function postMessage(slack: Slack, where: Where, rendered: Rendered): Promise<string | null> {
  const answer = await withoutBlocksIfRefused(slack, rendered, (body) =>
    call(slack, { method: 'chat.postMessage', channel: where.channel }, (client) =>
      client.chat.postMessage({
        channel: where.channel,
        ...body,
        ...threadOf(where),
        metadata: metadataOf(where.key),
        unfurl_links: false,
        unfurl_media: false,
        link_names: false,
      }),
    ),
  );
  const ts = answer.ts;
  if (ts === undefined) throw new Error('Slack answered chat.postMessage without a ts');
  if (where.threadTs !== null && answer.message && answer.message.thread_ts === undefined) {
    await takeBack(slack, where.channel, ts);
    return null;
  }
  return ts;
}

function threadOf({ threadTs, broadcast = false }: Where) {
  if (threadTs === null) return {};
  return broadcast ? { thread_ts: threadTs, reply_broadcast: true as const } : { thread_ts: threadTs };
}

/** Deletes a message that ended up in the wrong place; a failure is logged. */
async function takeBack(slack: Slack, channel: string, ts: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await slack.client.chat.delete({ channel, ts });
      return;
    } catch (error) {
      if (tries === TAKE_BACK_TRIES || classifySlackError(error).kind === 'refused') {
        slack.log.error({ err: error, channel, ts }, 'could not delete a reply whose thread is gone');
        return;
      }
      await slack.clock.sleep(SPACING_MS);
    }
  }
}

/**
 * Replaces one of our messages.
 *
 * @param key its key from now on; only for a message that was posted without it
 */
export async function editMessage(
  slack: Slack,
  { channel, ts, key, background }: { channel: string; ts: string; key?: string; background: boolean },
  rendered: Rendered,
): Promise<void> {
  const metadata = key === undefined ? {} : { metadata: metadataOf(key) };
  await withoutBlocksIfRefused(slack, rendered, (body) =>
    call(slack, { method: 'chat.update', channel, message: ts, background }, (client) =>
      client.chat.update({ channel, ts, ...body, ...metadata, link_names: false }),
    ),
  );
}

/** A message's hidden metadata, by which it can be found again. */
export function metadataOf(key: string) {
  return { event_type: METADATA_TYPE, event_payload: { key } };
}

export function hasKey({ metadata }: { metadata?: { event_payload?: object } }, key: string): boolean {
  const payload = metadata?.event_payload;
  return payload !== undefined && 'key' in payload && payload.key === key;
}

/** After a post with an unknown outcome: the `ts` of the message with this key, if there is one. */
export async function findMessage(slack: Slack, where: Where, since: number): Promise<string | null> {
  for await (const message of pagesOf(slack, where, since)) {
    if (hasKey(message, where.key)) return message.ts ?? null;
  }
  return null;
}

/**
 * The messages of a thread or a channel, from about `since` on (milliseconds), and then all of a thread, because a
 * clock may have been changed; a few pages each.
 */
export async function* pagesOf(slack: Slack, where: Place, since: number) {
  const from = since - LOOK_BACK_MS;
  yield* messagesSince(slack, where, from);
  const isLonger = where.threadTs !== null && Number(where.threadTs) * 1_000 < from;
  if (isLonger) yield* messagesSince(slack, where, 0);
}

/** The messages of a thread or a channel since a moment (milliseconds); a few pages. */
export async function* messagesSince(slack: Slack, where: Place, since: number) {
  const oldest = String(Math.floor(since / 1000));
  let cursor = '';
  for (let page = 0; page < LOOK_BACK_PAGES; page += 1) {
    const limit = where.threadTs === null ? PER_PAGE.channel : PER_PAGE.thread;
    const more = { include_all_metadata: true, limit, oldest, ...(cursor ? { cursor } : {}) };
    const answer = await readPage(slack, where, more);
    yield* answer.messages ?? [];
    cursor = answer.response_metadata?.next_cursor ?? '';
    if (cursor === '') return;
  }
}

function readPage(
  slack: Slack,
  { channel, threadTs }: Place,
  more: { include_all_metadata: boolean; limit: number; oldest: string; cursor?: string },
) {
  return call(slack, { method: 'conversations.replies', channel }, (client: WebClient) =>
    threadTs === null
      ? client.conversations.history({ channel, ...more })
      : client.conversations.replies({ channel, ts: threadTs, ...more }),
  );
}

/**
 * Where Slack refuses the blocks: without the pictures, if there are any, because Slack may no longer have the file; and
 * at last as text alone. What was refused did not happen, so nothing is sent twice.
 */
async function withoutBlocksIfRefused<T>(
  slack: Slack,
  rendered: Rendered,
  send: (body: { text: string; blocks: Rendered['blocks'] }) => Promise<T>,
): Promise<T> {
  const others = simplerForms(rendered);
  let body = { text: rendered.text, blocks: rendered.blocks };
  for (;;) {
    try {
      return await send(body);
    } catch (error) {
      const failure = classifySlackError(error);
      const next = others.shift();
      if (!refusesBlocks(failure) || next === undefined) throw error;
      const kind = next.blocks.length > 0 ? 'without_pictures' : 'plain_text';
      body = next;
      slack.metrics.count('gumshoe_posts_total', { kind, outcome: failure.error });
      slack.log.error({ err: error, kind }, 'Slack rejected a message’s blocks; resending it simplified');
    }
    // The rejected call used up its slot, and a later attempt would send the same blocks again.
    await slack.clock.sleep(SPACING_MS);
  }
}
