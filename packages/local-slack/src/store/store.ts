import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { createFileStore, type FileStore } from './files.ts';
import {
  createMessageStore,
  createReactionStore,
  createStreamStore,
  type MessageStore,
  type ReactionStore,
  type StreamStore,
} from './messages.ts';
import {
  type ChannelStore,
  createChannelStore,
  createHomeStore,
  createMessagesTabStore,
  createSessionStore,
  createUserStore,
  type HomeStore,
  type MessagesTabStore,
  type SessionStore,
  type UserStore,
} from './people.ts';

const TABLES = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS users (id TEXT PRIMARY KEY, position INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS channels (id TEXT PRIMARY KEY, position INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS members (
  channel TEXT NOT NULL, user TEXT NOT NULL, PRIMARY KEY (channel, user)
) STRICT;
CREATE TABLE IF NOT EXISTS messages (
  channel TEXT NOT NULL, ts TEXT NOT NULL, thread_ts TEXT, broadcast INTEGER NOT NULL DEFAULT 0,
  ephemeral_to TEXT, state TEXT NOT NULL DEFAULT 'live', body TEXT NOT NULL, PRIMARY KEY (channel, ts)
) STRICT;
CREATE INDEX IF NOT EXISTS messages_thread ON messages (channel, thread_ts, ts);
CREATE INDEX IF NOT EXISTS messages_ts ON messages (ts);
CREATE TABLE IF NOT EXISTS reactions (
  channel TEXT NOT NULL, ts TEXT NOT NULL, name TEXT NOT NULL, user TEXT NOT NULL,
  position INTEGER PRIMARY KEY, UNIQUE (channel, ts, name, user)
) STRICT;
CREATE TABLE IF NOT EXISTS deliveries (
  id TEXT PRIMARY KEY, payload TEXT NOT NULL, attempt INTEGER NOT NULL, reason TEXT NOT NULL,
  due_at INTEGER NOT NULL, position INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS responses (
  id TEXT PRIMARY KEY, channel TEXT NOT NULL, user TEXT NOT NULL, message_ts TEXT,
  uses INTEGER NOT NULL, expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS files (
  id TEXT PRIMARY KEY, position INTEGER NOT NULL, ticket TEXT NOT NULL UNIQUE, used INTEGER NOT NULL DEFAULT 0,
  body TEXT NOT NULL, bytes BLOB
) STRICT;
CREATE TABLE IF NOT EXISTS shares (
  file TEXT NOT NULL, channel TEXT NOT NULL, ts TEXT NOT NULL, PRIMARY KEY (file, channel, ts)
) STRICT;
CREATE TABLE IF NOT EXISTS streams (
  channel TEXT NOT NULL, ts TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (channel, ts)
) STRICT;
CREATE TABLE IF NOT EXISTS sessions (
  channel TEXT NOT NULL, ts TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (channel, ts)
) STRICT;
CREATE TABLE IF NOT EXISTS messages_tabs (user TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS homes (user TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
`;

/**
 * Opens the workspace's database, making its folder and tables where they are missing. Only the
 * owner may read the file: it holds messages and tokens.
 */
function openDatabase(file: string): Database.Database {
  if (file !== ':memory:') {
    makeFolder(dirname(file));
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  }
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma('busy_timeout = 5000');
  db.exec(TABLES);
  return db;
}

/** Not with `recursive`: on a file system that takes no folders (such as /proc) that loops for ever. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** Single values that belong to the file: its tokens. */
interface MetaStore {
  /** The stored value; if there is none, stores and gives what `make` makes. */
  remember(name: string, make: () => string): string;
}

function createMetaStore(db: Database.Database): MetaStore {
  const read = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?');
  const write = db.prepare<[string, string]>('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
  return {
    remember: (name, make) => {
      const known = read.get(name);
      if (known) return known.value;
      const value = make();
      write.run(name, value);
      return value;
    },
  };
}

/** An event that the app has not acknowledged yet. */
export interface Delivery {
  id: string;
  /** The body of the event, JSON. */
  payload: string;
  /** 0 on the first attempt, then 1 to 3. */
  attempt: number;
  /** Why the attempt before failed; empty on the first. */
  reason: string;
  /** Milliseconds since the epoch. */
  due_at: number;
}

export interface DeliveryStore {
  add(delivery: Delivery): void;
  postpone(delivery: Delivery): void;
  done(id: string): void;
  /** What is still to be delivered, oldest first. */
  pending(): Delivery[];
}

function createDeliveryStore(db: Database.Database): DeliveryStore {
  const add = db.prepare<Delivery>(
    `INSERT INTO deliveries (id, payload, attempt, reason, due_at, position)
     VALUES (@id, @payload, @attempt, @reason, @due_at, (SELECT coalesce(max(position), 0) + 1 FROM deliveries))`,
  );
  const postpone = db.prepare<Delivery>(
    'UPDATE deliveries SET attempt = @attempt, reason = @reason, due_at = @due_at WHERE id = @id',
  );
  const done = db.prepare<[string]>('DELETE FROM deliveries WHERE id = ?');
  const pending = db.prepare<[], Delivery>(
    'SELECT id, payload, attempt, reason, due_at FROM deliveries ORDER BY position',
  );
  return {
    add: (delivery) => {
      add.run(delivery);
    },
    postpone: (delivery) => {
      postpone.run(delivery);
    },
    done: (id) => {
      done.run(id);
    },
    pending: () => pending.all(),
  };
}

/** What a `response_url` answers to. */
interface ResponseTarget {
  id: string;
  channel: string;
  user: string;
  /** The message whose button was clicked; none for a command. */
  message_ts: string | null;
  uses: number;
  /** Milliseconds since the epoch. */
  expires_at: number;
}

interface ResponseStore {
  add(target: ResponseTarget): void;
  get(id: string): ResponseTarget | undefined;
  use(id: string): void;
}

function createResponseStore(db: Database.Database): ResponseStore {
  const add = db.prepare<ResponseTarget>(
    `INSERT INTO responses (id, channel, user, message_ts, uses, expires_at)
     VALUES (@id, @channel, @user, @message_ts, @uses, @expires_at)`,
  );
  const get = db.prepare<[string], ResponseTarget>('SELECT * FROM responses WHERE id = ?');
  const use = db.prepare<[string]>('UPDATE responses SET uses = uses + 1 WHERE id = ?');
  return {
    add: (target) => {
      add.run(target);
    },
    get: (id) => get.get(id),
    use: (id) => {
      use.run(id);
    },
  };
}

/** Everything that a workspace keeps, in one SQLite file. */
export interface Store {
  meta: MetaStore;
  users: UserStore;
  channels: ChannelStore;
  messages: MessageStore;
  reactions: ReactionStore;
  deliveries: DeliveryStore;
  responses: ResponseStore;
  files: FileStore;
  homes: HomeStore;
  streams: StreamStore;
  sessions: SessionStore;
  messagesTabs: MessagesTabStore;
  close(): void;
}

export function openStore(file: string): Store {
  const db = openDatabase(file);
  return {
    meta: createMetaStore(db),
    users: createUserStore(db),
    channels: createChannelStore(db),
    messages: createMessageStore(db),
    reactions: createReactionStore(db),
    deliveries: createDeliveryStore(db),
    responses: createResponseStore(db),
    files: createFileStore(db),
    homes: createHomeStore(db),
    streams: createStreamStore(db),
    sessions: createSessionStore(db),
    messagesTabs: createMessagesTabStore(db),
    close: () => {
      db.close();
    },
  };
}
