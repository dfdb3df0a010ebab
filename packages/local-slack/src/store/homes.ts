import type { Database } from 'better-sqlite3';
import type { HomeView } from '../interact/home/home-view.ts';

/** The Home that the app has published for each person. */
export interface HomeStore {
  get(user: string): HomeView | undefined;
  put(home: HomeView): void;
  all(): HomeView[];
}

export function createHomeStore(db: Database): HomeStore {
  const write = db.prepare<[string, string]>('INSERT OR REPLACE INTO homes (user, body) VALUES (?, ?)');
  const one = db.prepare<[string], { body: string }>('SELECT body FROM homes WHERE user = ?');
  const every = db.prepare<[], { body: string }>('SELECT body FROM homes');
  const read = (row: { body: string }): HomeView => JSON.parse(row.body);
  return {
    get: (user) => {
      const row = one.get(user);
      return row && read(row);
    },
    put: (home) => {
      write.run(home.user, JSON.stringify(home));
    },
    all: () => every.all().map(read),
  };
}
