import type { Database } from 'better-sqlite3';

/** One emoji on a message, as Slack lists it. */
export interface Reaction {
  name: string;
  users: string[];
  count: number;
}

interface Row {
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
  const list = db.prepare<[string, string], Row>(
    'SELECT name, user FROM reactions WHERE channel = ? AND ts = ? ORDER BY position',
  );
  const listAll = db.prepare<[string], Row & { ts: string }>(
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

function byEmoji(reactions: readonly Row[]): Reaction[] {
  return [...Map.groupBy(reactions, (row) => row.name)].map(([name, rows]) => ({
    name,
    users: rows.map((row) => row.user),
    count: rows.length,
  }));
}
