import type { WebClient } from '@slack/web-api';
import { asPlainBlocks, asPlainText } from '../../render/plain.ts';
import type { Rendered } from '../../render/rendered.ts';
import { classifySlackError } from '../errors.ts';
import { call, type Slack } from './calls.ts';
import { SPACING_MS } from './pace.ts';

const METADATA_TYPE = 'gumshoe_message';
const LOOK_BACK_PAGES = 5;
/** A channel says more than a thread. */
const PER_PAGE = { thread: 100, channel: 200 };
/** Our clock and Slack’s may differ by minutes. */
const LOOK_BACK_MS = 10 * 60_000;
const TAKE_BACK_TRIES = 3;

/** Slack's names for blocks that it will not show; the words are sent without them. */
const BLOCK_ERRORS = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
]);

interface Place {
  channel: string;
  threadTs: string | null;
}

export interface Where extends Place {
  /** Identifies the message, in the outbox and in Slack (DESIGN section 5, *Posts*). */
  key: string;
  /** Shown in the channel too, beside its thread. */
  broadcast?: boolean;
}

/**
 * Posts a message that bears its key, and answers its `ts`.
 *
 * @returns `null` when Slack put a reply at top level because its parent is gone: it has been taken back.
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

/** Deletes a message that stands where nobody expects it; what cannot be deleted is said in the log. */
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
 * Replaces a message of ours.
 *
 * @param key what it bears from now on; only a message that was not posted with its key needs that
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

/** What a message bears in Slack, unseen, so that it can be found again. */
export function metadataOf(key: string) {
  return { event_type: METADATA_TYPE, event_payload: { key } };
}

/** Whether a message that Slack tells of is the one with this key. */
export function bearsKey({ metadata }: { metadata?: { event_payload?: object } }, key: string): boolean {
  const payload = metadata?.event_payload;
  return payload !== undefined && 'key' in payload && payload.key === key;
}

/** After a post whose outcome is unknown: the `ts` of the message that bears the key, if it got there. */
export async function findMessage(slack: Slack, where: Where, since: number): Promise<string | null> {
  for await (const message of pagesOf(slack, where, since)) {
    if (bearsKey(message, where.key)) return message.ts ?? null;
  }
  return null;
}

/**
 * The messages of a thread, or of a channel, from about `since` on (milliseconds), and then all of a thread: a clock may
 * have been set since. A few pages each.
 */
export async function* pagesOf(slack: Slack, where: Place, since: number) {
  const from = since - LOOK_BACK_MS;
  yield* messagesSince(slack, where, from);
  const isLonger = where.threadTs !== null && Number(where.threadTs) * 1_000 < from;
  if (isLonger) yield* messagesSince(slack, where, 0);
}

/** The messages of a thread, or of a channel, that are no older (milliseconds); a few pages of them. */
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

/** Where Slack refuses the blocks: the same in plainer blocks, and at last as text alone. */
async function withoutBlocksIfRefused<T>(
  slack: Slack,
  rendered: Rendered,
  send: (body: { text: string; blocks: Rendered['blocks'] }) => Promise<T>,
): Promise<T> {
  const plainer = asPlainBlocks(rendered);
  const [first, ...others] = [
    { text: rendered.text, blocks: rendered.blocks, kind: 'as_rendered' },
    ...(plainer ? [{ text: rendered.text, blocks: plainer, kind: 'plain_blocks' }] : []),
    { text: asPlainText(rendered).text, blocks: [], kind: 'plain_text' },
  ] as const;
  let attempt = send({ text: first.text, blocks: first.blocks });
  for (const { text, blocks, kind } of others) {
    const refused = await attempt.then(() => null, refusalOf);
    if (refused === null) break;
    slack.metrics.count('gumshoe_posts_total', { kind, outcome: refused.name });
    slack.log.error(
      { err: refused.error, kind },
      'Slack rejected a message’s blocks; resending it simplified',
    );
    // The refused call has used up its turn, and a later round would send the blocks again.
    await slack.clock.sleep(SPACING_MS);
    attempt = send({ text, blocks: [...blocks] });
  }
  return attempt;
}

/** @throws what it is given, unless Slack refused the blocks. */
function refusalOf(error: unknown): { name: string; error: unknown } {
  const failure = classifySlackError(error);
  if (failure.kind !== 'refused' || !BLOCK_ERRORS.has(failure.error)) throw error;
  return { name: failure.error, error };
}
