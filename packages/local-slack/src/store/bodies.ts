import type { Database } from 'better-sqlite3';

/** Rows of JSON that are written and read whole, by their key. */
export interface Bodies<T> {
  /** Adds one, or replaces the one of that key, which keeps its place. */
  put(body: T, ...key: string[]): void;
  get(...key: string[]): T | undefined;
  all(): T[];
}

interface Shape {
  key: readonly string[];
  order: string;
  /** The table numbers its rows. */
  hasPosition?: boolean;
}

/** What is kept in a table with the columns of the key and `body`. */
export function bodies<T>(
  db: Database,
  table: string,
  { key, order, hasPosition = false }: Shape,
): Bodies<T> {
  const columns = [...key, 'body', ...(hasPosition ? ['position'] : [])].join(', ');
  const values = [...key.map(() => '?'), '?', ...(hasPosition ? [`(SELECT count(*) FROM ${table})`] : [])];
  const write = db.prepare<string[]>(
    `INSERT INTO ${table} (${columns}) VALUES (${values.join(', ')})
     ON CONFLICT (${key.join(', ')}) DO UPDATE SET body = excluded.body`,
  );
  const where = key.map((column) => `${column} = ?`).join(' AND ');
  const one = db.prepare<string[], { body: string }>(`SELECT body FROM ${table} WHERE ${where}`);
  const every = db.prepare<[], { body: string }>(`SELECT body FROM ${table} ORDER BY ${order}`);
  const read = (row: { body: string }): T => JSON.parse(row.body);
  return {
    put: (body, ...values) => {
      write.run(...values, JSON.stringify(body));
    },
    get: (...values) => {
      const row = one.get(...values);
      return row && read(row);
    },
    all: () => every.all().map(read),
  };
}
