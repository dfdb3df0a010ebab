import type { Database } from 'better-sqlite3';

/** A thread of the pane, or any thread in which the app has set a status. */
export interface AssistantThread {
  channel: string;
  thread_ts: string;
  /** Whose conversation with the app it is; empty in a channel. */
  user: string;
  /** Whether the person opened it in the pane. */
  pane: boolean;
  title: string | null;
  /** What the app is doing. */
  status: string | null;
  /** Milliseconds since the epoch at which Slack takes the status away. */
  status_until: number;
  prompts_title: string | null;
  prompts: { title: string; message: string }[];
}

export interface AssistantStore {
  get(channel: string, thread_ts: string): AssistantThread | undefined;
  put(thread: AssistantThread): void;
  /** A person's threads of the pane, the newest first. */
  of(user: string): AssistantThread[];
}

export function createAssistantStore(db: Database): AssistantStore {
  const write = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO assistant_threads (channel, ts, body) VALUES (?, ?, ?)',
  );
  const one = db.prepare<[string, string], { body: string }>(
    'SELECT body FROM assistant_threads WHERE channel = ? AND ts = ?',
  );
  const every = db.prepare<[], { body: string }>('SELECT body FROM assistant_threads ORDER BY ts DESC');
  const read = (row: { body: string }): AssistantThread => JSON.parse(row.body);
  return {
    get: (channel, thread_ts) => {
      const row = one.get(channel, thread_ts);
      return row && read(row);
    },
    put: (thread) => {
      write.run(thread.channel, thread.thread_ts, JSON.stringify(thread));
    },
    of: (user) =>
      every
        .all()
        .map(read)
        .filter((thread) => thread.user === user),
  };
}
