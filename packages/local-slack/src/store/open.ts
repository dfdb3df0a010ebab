import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

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
CREATE TABLE IF NOT EXISTS assistant_threads (
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
export function openDatabase(file: string): Database.Database {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
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
