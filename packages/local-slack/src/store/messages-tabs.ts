import type { Database } from 'better-sqlite3';

/** The prompts that the app has put on top of a person's Messages tab. */
export interface TabPrompts {
  prompts_title: string | null;
  prompts: { title: string; message: string }[];
}

export interface MessagesTabStore {
  get(user: string): TabPrompts | undefined;
  put(user: string, prompts: TabPrompts): void;
}

export function createMessagesTabStore(db: Database): MessagesTabStore {
  const write = db.prepare<[string, string]>(
    'INSERT OR REPLACE INTO messages_tabs (user, body) VALUES (?, ?)',
  );
  const one = db.prepare<[string], { body: string }>('SELECT body FROM messages_tabs WHERE user = ?');
  return {
    get: (user) => {
      const row = one.get(user);
      return row && JSON.parse(row.body);
    },
    put: (user, prompts) => {
      write.run(user, JSON.stringify(prompts));
    },
  };
}
