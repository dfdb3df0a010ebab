import type { Database } from 'better-sqlite3';

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

export interface ResponseStore {
  add(target: ResponseTarget): void;
  get(id: string): ResponseTarget | undefined;
  use(id: string): void;
}

export function createResponseStore(db: Database): ResponseStore {
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
