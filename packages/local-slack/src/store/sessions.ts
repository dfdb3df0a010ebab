import type { Database } from 'better-sqlite3';

export const SESSION_STATUSES = ['active', 'processing', 'suspended', 'closed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** An agent's session: one thread in which it works. */
export interface Session {
  channel: string;
  thread_ts: string;
  status: SessionStatus;
  /** Milliseconds since the epoch at which `processing` falls back to `active`. */
  processing_until: number;
  /** Set by `assistant.threads.setStatus`: the app's next message in the thread ends it. */
  bridged: boolean;
  title: string | null;
}

export interface SessionStore {
  get(channel: string, thread_ts: string): Session | undefined;
  put(session: Session): void;
  /** The newest thread first. */
  all(): Session[];
}

export function createSessionStore(db: Database): SessionStore {
  const write = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO sessions (channel, ts, body) VALUES (?, ?, ?)',
  );
  const one = db.prepare<[string, string], { body: string }>(
    'SELECT body FROM sessions WHERE channel = ? AND ts = ?',
  );
  const every = db.prepare<[], { body: string }>('SELECT body FROM sessions ORDER BY ts DESC');
  const read = (row: { body: string }): Session => JSON.parse(row.body);
  return {
    get: (channel, thread_ts) => {
      const row = one.get(channel, thread_ts);
      return row && read(row);
    },
    put: (session) => {
      write.run(session.channel, session.thread_ts, JSON.stringify(session));
    },
    all: () => every.all().map(read),
  };
}
