import type { PageEvent, PageMessage } from '../../src/page-api.ts';

/** The loaded messages of each place, by `listKey`; each list oldest first. */
export type Lists = Readonly<Record<string, readonly PageMessage[]>>;

/** Names a channel's top level (`thread` is `null`) or one of its threads. */
export function listKey(channel: string, thread: string | null): string {
  return thread === null ? channel : `${channel}/${thread}`;
}

/**
 * Replaces a list with a freshly fetched one. The server may have read it before `since`, the events that
 * arrived during the fetch, so they are applied again.
 */
export function withLoaded(
  lists: Lists,
  key: string,
  loaded: readonly PageMessage[],
  since: readonly PageEvent[],
): Lists {
  const fresh = since.reduce(withEvent, { [key]: sorted([...loaded]) });
  return { ...lists, ...fresh };
}

/** Applies a live event to the loaded lists; the others are fetched when they are opened. */
export function withEvent(lists: Lists, event: PageEvent): Lists {
  if (!('channel' in event)) return lists;
  if (event.type === 'message_deleted') return withoutMessage(lists, event);
  const { channel, message } = event;
  const isReply = message.thread_ts !== undefined && message.thread_ts !== message.ts;
  let next = lists;
  if (!isReply || message.subtype === 'thread_broadcast')
    next = upsert(next, listKey(channel, null), message);
  next = upsert(next, listKey(channel, message.thread_ts ?? message.ts), message);
  if (isReply && event.type === 'message' && message.ephemeral_to === undefined) {
    next = withReplyCounted(next, channel, message);
  }
  return next;
}

function upsert(lists: Lists, key: string, message: PageMessage): Lists {
  const list = lists[key];
  if (!list) return lists;
  const others = list.filter((other) => other.ts !== message.ts);
  return { ...lists, [key]: sorted([...others, message]) };
}

/** The server may also send the root's new count, before or after this: only a reply newer than the last one counts. */
function withReplyCounted(lists: Lists, channel: string, reply: PageMessage): Lists {
  const root = (lists[channel] ?? []).find((message) => message.ts === reply.thread_ts);
  if (!root || reply.ts <= (root.latest_reply ?? '')) return lists;
  const counted = { ...root, reply_count: (root.reply_count ?? 0) + 1, latest_reply: reply.ts };
  return upsert(upsert(lists, channel, counted), listKey(channel, root.ts), counted);
}

function withoutMessage(lists: Lists, gone: { channel: string; ts: string; thread_ts?: string }): Lists {
  const keys = [gone.channel, listKey(gone.channel, gone.thread_ts ?? gone.ts)];
  const changed = keys.flatMap((key) => {
    const list = lists[key];
    return list ? [[key, list.filter((message) => message.ts !== gone.ts)] as const] : [];
  });
  return { ...lists, ...Object.fromEntries(changed) };
}

function sorted(messages: PageMessage[]): PageMessage[] {
  return messages.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
}
