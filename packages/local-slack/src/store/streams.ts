import type { Database } from 'better-sqlite3';

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

export interface StreamStore {
  get(channel: string, ts: string): Stream | undefined;
  put(stream: Stream): void;
  /** Those that were not ended, the oldest first; some may have outlived their time. */
  open(): Stream[];
}

export function createStreamStore(db: Database): StreamStore {
  const write = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO streams (channel, ts, body) VALUES (?, ?, ?)',
  );
  const one = db.prepare<[string, string], { body: string }>(
    'SELECT body FROM streams WHERE channel = ? AND ts = ?',
  );
  const open = db.prepare<[], { body: string }>(
    `SELECT body FROM streams WHERE json_extract(body, '$.state') = 'open' ORDER BY ts`,
  );
  const read = (row: { body: string }): Stream => JSON.parse(row.body);
  return {
    get: (channel, ts) => {
      const row = one.get(channel, ts);
      return row && read(row);
    },
    put: (stream) => {
      write.run(stream.channel, stream.ts, JSON.stringify(stream));
    },
    open: () => open.all().map(read),
  };
}
