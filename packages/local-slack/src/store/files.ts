import type { Database } from 'better-sqlite3';
import type { StoredFile } from '../files/inspect.ts';

/** The message that shows a file. */
interface Share {
  channel: string;
  ts: string;
}

export interface FileStore {
  /** Adds a file, or replaces its description; its bytes stay. */
  put(file: StoredFile): void;
  get(id: string): StoredFile | undefined;
  byTicket(ticket: string): StoredFile | undefined;
  /** Every file, the newest first; deleted ones too. */
  all(): StoredFile[];
  bytes(id: string): Buffer | undefined;
  /** Keeps a file's bytes; without any, forgets them. */
  keep(id: string, bytes: Buffer | null): void;
  /** Bytes that all files take up. */
  taken(): number;
  /** Somebody can see it from now on: it is not dropped to make room. */
  use(id: string): void;
  isUsed(id: string): boolean;
  share(id: string, share: Share): void;
  sharesOf(id: string): Share[];
  /** The message shows nothing any more. */
  unshare(share: Share): void;
}

export function createFileStore(db: Database): FileStore {
  const write = db.prepare<[string, string, string]>(
    `INSERT INTO files (id, position, ticket, body)
     VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM files), ?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body`,
  );
  const one = db.prepare<[string], { body: string }>('SELECT body FROM files WHERE id = ?');
  const ticketed = db.prepare<[string], { body: string }>('SELECT body FROM files WHERE ticket = ?');
  const every = db.prepare<[], { body: string }>('SELECT body FROM files ORDER BY position DESC');
  const content = db.prepare<[string], { bytes: Buffer | null }>('SELECT bytes FROM files WHERE id = ?');
  const fill = db.prepare<[Buffer | null, string]>('UPDATE files SET bytes = ? WHERE id = ?');
  const sum = db.prepare<[], { size: number }>('SELECT coalesce(sum(length(bytes)), 0) AS size FROM files');
  const use = db.prepare<[string]>('UPDATE files SET used = 1 WHERE id = ?');
  const used = db.prepare<[string], { used: number }>('SELECT used FROM files WHERE id = ?');
  const share = db.prepare<[string, string, string]>(
    'INSERT OR IGNORE INTO shares (file, channel, ts) VALUES (?, ?, ?)',
  );
  const shares = db.prepare<[string], Share>('SELECT channel, ts FROM shares WHERE file = ? ORDER BY ts');
  const unshare = db.prepare<[string, string]>('DELETE FROM shares WHERE channel = ? AND ts = ?');
  const read = (row: { body: string }): StoredFile => JSON.parse(row.body);
  return {
    put: (file) => {
      write.run(file.id, file.ticket, JSON.stringify(file));
    },
    get: (id) => {
      const row = one.get(id);
      return row && read(row);
    },
    byTicket: (ticket) => {
      const row = ticketed.get(ticket);
      return row && read(row);
    },
    all: () => every.all().map(read),
    bytes: (id) => content.get(id)?.bytes ?? undefined,
    keep: (id, bytes) => {
      fill.run(bytes, id);
    },
    taken: () => sum.get()?.size ?? 0,
    use: (id) => {
      use.run(id);
    },
    isUsed: (id) => used.get(id)?.used === 1,
    share: (id, { channel, ts }) => {
      share.run(id, channel, ts);
      use.run(id);
    },
    sharesOf: (id) => shares.all(id),
    unshare: ({ channel, ts }) => {
      unshare.run(channel, ts);
    },
  };
}
