import type { Database } from 'better-sqlite3';
import type { User } from '../entities.ts';

export interface UserStore {
  /** Adds a user, or replaces the one with that id. */
  put(user: User): void;
  get(id: string): User | undefined;
  /** Everybody, in the order in which they came. */
  all(): User[];
}

export function createUserStore(db: Database): UserStore {
  const write = db.prepare<[string, string]>(
    `INSERT INTO users (id, position, body) VALUES (?, (SELECT count(*) FROM users), ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body`,
  );
  const one = db.prepare<[string], { body: string }>('SELECT body FROM users WHERE id = ?');
  const every = db.prepare<[], { body: string }>('SELECT body FROM users ORDER BY position');
  const read = (row: { body: string }): User => JSON.parse(row.body);
  return {
    put: (user) => {
      write.run(user.id, JSON.stringify(user));
    },
    get: (id) => {
      const row = one.get(id);
      return row && read(row);
    },
    all: () => every.all().map(read),
  };
}
