import type { Database } from 'better-sqlite3';

/** Single values that belong to the file: its tokens. */
export interface MetaStore {
  /** The stored value; if there is none, stores and gives what `make` makes. */
  remember(name: string, make: () => string): string;
}

export function createMetaStore(db: Database): MetaStore {
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
