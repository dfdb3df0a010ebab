import type { Database } from 'better-sqlite3';
import type { Message } from '../entities.ts';
import { bodies } from './bodies.ts';

/** What to read of a channel or a thread. Bounds are exclusive `ts`. */
interface Range {
  after: string;
  before: string;
  limit: number;
}

interface ThreadSummary {
  reply_count: number;
  latest_reply: string;
}

export interface MessageStore {
  /** A `ts` that no message had before, and later than all; from the time in milliseconds. */
  nextTs(now: number): string;
  insert(channel: string, message: Message, ephemeralTo?: string): void;
  replace(channel: string, message: Message): void;
  /** A message that is there; not a deleted one, and not what only one person sees. */
  get(channel: string, ts: string): Message | undefined;
  /** A thread's root: a message that is there, or the tombstone of one that is not. */
  root(channel: string, ts: string): Message | undefined;
  /** A message that only one person sees. */
  ephemeral(channel: string, ts: string): { message: Message; to: string } | undefined;
  /** Deletes for good; a thread's root that has replies leaves a tombstone, as in Slack. */
  remove(channel: string, ts: string): void;
  wasDeleted(channel: string, ts: string): boolean;
  /** The channel's top level, newest first. */
  topLevel(channel: string, range: Range): Message[];
  /** The replies of a thread without its root, oldest first. */
  replies(channel: string, root: string, range: Range): Message[];
  thread(channel: string, root: string): ThreadSummary | undefined;
  /** The first five people who have replied. */
  repliers(channel: string, root: string): string[];
  /** What the page shows: top level or one thread with its root, ephemeral messages too, oldest first. */
  shown(channel: string, root: string | undefined): { message: Message; ephemeralTo: string | null }[];
}

interface Row {
  body: string;
  ephemeral_to: string | null;
}

const micros = (ts: string) => Number(ts.replace('.', ''));
const TOP = '(thread_ts IS NULL OR broadcast = 1)';
const COUNTED = `channel = ? AND thread_ts = ? AND ephemeral_to IS NULL AND state = 'live'`;

export function createMessageStore(db: Database): MessageStore {
  const newest = db.prepare<[], { ts: string | null }>('SELECT max(ts) AS ts FROM messages').get();
  let last = newest?.ts ? micros(newest.ts) : 0;
  const insert = db.prepare<[string, string, string | null, number, string | null, string]>(
    'INSERT INTO messages (channel, ts, thread_ts, broadcast, ephemeral_to, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const update = db.prepare<[string, string, string, string]>(
    'UPDATE messages SET body = ?, state = ? WHERE channel = ? AND ts = ?',
  );
  const one = db.prepare<[string, string], Row>(
    `SELECT body, ephemeral_to FROM messages WHERE channel = ? AND ts = ? AND state = 'live'`,
  );
  const standing = db.prepare<[string, string], Row>(
    `SELECT body, ephemeral_to FROM messages WHERE channel = ? AND ts = ? AND ephemeral_to IS NULL
     AND state <> 'deleted'`,
  );
  const gone = db.prepare<[string, string], Row>(
    `SELECT body, ephemeral_to FROM messages WHERE channel = ? AND ts = ? AND state <> 'live'`,
  );
  const top = db.prepare<[string, string, string, number], Row>(
    `SELECT body, ephemeral_to FROM messages WHERE channel = ? AND ${TOP} AND ephemeral_to IS NULL
     AND state <> 'deleted' AND ts > ? AND ts < ? ORDER BY ts DESC LIMIT ?`,
  );
  const replies = db.prepare<[string, string, string, string, number], Row>(
    `SELECT body, ephemeral_to FROM messages WHERE ${COUNTED} AND ts > ? AND ts < ? ORDER BY ts LIMIT ?`,
  );
  const summary = db.prepare<[string, string], { count: number; latest: string | null }>(
    `SELECT count(*) AS count, max(ts) AS latest FROM messages WHERE ${COUNTED}`,
  );
  const repliers = db.prepare<[string, string], { user: string }>(
    `SELECT json_extract(body, '$.user') AS user FROM messages WHERE ${COUNTED}
     AND json_extract(body, '$.user') IS NOT NULL GROUP BY user ORDER BY min(ts) LIMIT 5`,
  );
  const shownTop = db.prepare<[string], Row>(
    `SELECT body, ephemeral_to FROM messages WHERE channel = ? AND ${TOP} AND state <> 'deleted' ORDER BY ts`,
  );
  const shownThread = db.prepare<[string, string, string], Row>(
    `SELECT body, ephemeral_to FROM messages WHERE channel = ? AND (ts = ? OR thread_ts = ?)
     AND state <> 'deleted' ORDER BY ts`,
  );
  const reactionsOf = db.prepare<[string, string]>('DELETE FROM reactions WHERE channel = ? AND ts = ?');
  const read = (row: Row): Message => JSON.parse(row.body);
  const thread = (channel: string, root: string): ThreadSummary | undefined => {
    const counted = summary.get(channel, root);
    return counted?.latest ? { reply_count: counted.count, latest_reply: counted.latest } : undefined;
  };
  return {
    nextTs: (now) => {
      last = Math.max(Math.floor(now) * 1000, last + 1);
      const digits = String(last);
      return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
    },
    insert: (channel, message, ephemeralTo) => {
      const broadcast = message.subtype === 'thread_broadcast' ? 1 : 0;
      const parent = message.thread_ts ?? null;
      insert.run(channel, message.ts, parent, broadcast, ephemeralTo ?? null, JSON.stringify(message));
    },
    replace: (channel, message) => {
      update.run(JSON.stringify(message), 'live', channel, message.ts);
    },
    get: (channel, ts) => {
      const row = one.get(channel, ts);
      return row && row.ephemeral_to === null ? read(row) : undefined;
    },
    root: (channel, ts) => {
      const row = standing.get(channel, ts);
      return row && read(row);
    },
    ephemeral: (channel, ts) => {
      const row = one.get(channel, ts);
      return row?.ephemeral_to ? { message: read(row), to: row.ephemeral_to } : undefined;
    },
    remove: (channel, ts) => {
      const tombstone: Message = {
        type: 'message',
        subtype: 'tombstone',
        user: 'USLACKBOT',
        text: 'This message was deleted.',
        hidden: true,
        ts,
      };
      update.run(JSON.stringify(tombstone), thread(channel, ts) ? 'tombstone' : 'deleted', channel, ts);
      reactionsOf.run(channel, ts);
    },
    wasDeleted: (channel, ts) => gone.get(channel, ts) !== undefined,
    topLevel: (channel, { after, before, limit }) => top.all(channel, after, before, limit).map(read),
    replies: (channel, root, { after, before, limit }) =>
      replies.all(channel, root, after, before, limit).map(read),
    thread,
    repliers: (channel, root) => repliers.all(channel, root).map((row) => row.user),
    shown: (channel, root) =>
      (root === undefined ? shownTop.all(channel) : shownThread.all(channel, root, root)).map((row) => ({
        message: read(row),
        ephemeralTo: row.ephemeral_to,
      })),
  };
}

/** One emoji on a message, as Slack lists it. */
export interface Reaction {
  name: string;
  users: string[];
  count: number;
}

interface ReactionRow {
  name: string;
  user: string;
}

export interface ReactionStore {
  /** @returns whether the person had not put that emoji there before. */
  add(channel: string, ts: string, name: string, user: string): boolean;
  /** @returns whether there was one to take away. */
  remove(channel: string, ts: string, name: string, user: string): boolean;
  /** In the order in which each emoji came first. */
  of(channel: string, ts: string): Reaction[];
  /** Those of every message of a channel that has any, by its `ts`. */
  inChannel(channel: string): ReadonlyMap<string, Reaction[]>;
}

export function createReactionStore(db: Database): ReactionStore {
  const add = db.prepare<[string, string, string, string]>(
    'INSERT OR IGNORE INTO reactions (channel, ts, name, user) VALUES (?, ?, ?, ?)',
  );
  const remove = db.prepare<[string, string, string, string]>(
    'DELETE FROM reactions WHERE channel = ? AND ts = ? AND name = ? AND user = ?',
  );
  const list = db.prepare<[string, string], ReactionRow>(
    'SELECT name, user FROM reactions WHERE channel = ? AND ts = ? ORDER BY position',
  );
  const listAll = db.prepare<[string], ReactionRow & { ts: string }>(
    'SELECT ts, name, user FROM reactions WHERE channel = ? ORDER BY position',
  );
  return {
    add: (channel, ts, name, user) => add.run(channel, ts, name, user).changes > 0,
    remove: (channel, ts, name, user) => remove.run(channel, ts, name, user).changes > 0,
    of: (channel, ts) => byEmoji(list.all(channel, ts)),
    inChannel: (channel) => {
      const byMessage = Map.groupBy(listAll.all(channel), (row) => row.ts);
      return new Map([...byMessage].map(([ts, rows]) => [ts, byEmoji(rows)]));
    },
  };
}

function byEmoji(reactions: readonly ReactionRow[]): Reaction[] {
  return [...Map.groupBy(reactions, (row) => row.name)].map(([name, rows]) => ({
    name,
    users: rows.map((row) => row.user),
    count: rows.length,
  }));
}

/** What is known of a message that came as a stream, besides the message. */
export interface Stream {
  channel: string;
  ts: string;
  state: 'open' | 'stopped' | 'stopped_by_user' | 'expired';
  /** How its first content came: from then on a stream takes nothing else. */
  mode: 'text' | 'chunks' | null;
  /** Tasks among the text, or together in one plan. */
  display: 'timeline' | 'plan';
  /** Milliseconds since the epoch. */
  expires_at: number;
  /** In a channel: the one person who sees it grow. */
  recipient: string | null;
  /** The first words, which is what everybody else sees until it ends. */
  began: string;
}

export type StreamStore = ReturnType<typeof createStreamStore>;

export function createStreamStore(db: Database) {
  const streams = bodies<Stream>(db, 'streams', { key: ['channel', 'ts'], order: 'ts' });
  return {
    ...streams,
    put: (stream: Stream) => streams.put(stream, stream.channel, stream.ts),
    /** Those that were not ended, the oldest first; some may have outlived their time. */
    open: () => streams.all().filter(({ state }) => state === 'open'),
  };
}
