import type { Database } from 'better-sqlite3';
import type { Channel, User } from '../entities.ts';
import type { HomeView } from '../interact/home-view.ts';

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

export interface ChannelStore {
  /** Adds a channel, or replaces the one with that id. */
  put(channel: Channel): void;
  get(id: string): Channel | undefined;
  /** The channel of that name, without `#`. */
  named(name: string): Channel | undefined;
  /** Every channel, in the order in which they came. */
  all(): Channel[];
  /** The conversation of the app with a person. */
  imWith(user: string): Channel | undefined;
  /** @returns whether the person was not a member before. */
  join(channel: string, user: string): boolean;
  /** @returns whether the person was a member before. */
  leave(channel: string, user: string): boolean;
  isMember(channel: string, user: string): boolean;
  members(channel: string): string[];
  /** With its members; its messages stay, unseen by anybody. */
  remove(channel: string): void;
}

export function createChannelStore(db: Database): ChannelStore {
  const write = db.prepare<[string, string]>(
    `INSERT INTO channels (id, position, body) VALUES (?, (SELECT count(*) FROM channels), ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body`,
  );
  const one = db.prepare<[string], { body: string }>('SELECT body FROM channels WHERE id = ?');
  const every = db.prepare<[], { body: string }>('SELECT body FROM channels ORDER BY position');
  const join = db.prepare<[string, string]>('INSERT OR IGNORE INTO members (channel, user) VALUES (?, ?)');
  const leave = db.prepare<[string, string]>('DELETE FROM members WHERE channel = ? AND user = ?');
  const member = db.prepare<[string, string], { user: string }>(
    'SELECT user FROM members WHERE channel = ? AND user = ?',
  );
  const members = db.prepare<[string], { user: string }>(
    'SELECT user FROM members WHERE channel = ? ORDER BY rowid',
  );
  const forget = db.prepare<[string]>('DELETE FROM channels WHERE id = ?');
  const forgetMembers = db.prepare<[string]>('DELETE FROM members WHERE channel = ?');
  const read = (row: { body: string }): Channel => JSON.parse(row.body);
  const all = () => every.all().map(read);
  return {
    put: (channel) => {
      write.run(channel.id, JSON.stringify(channel));
    },
    get: (id) => {
      const row = one.get(id);
      return row && read(row);
    },
    named: (name) => all().find((channel) => !channel.is_im && channel.name === name),
    all,
    imWith: (user) => all().find((channel) => channel.im_user === user),
    join: (channel, user) => join.run(channel, user).changes > 0,
    leave: (channel, user) => leave.run(channel, user).changes > 0,
    isMember: (channel, user) => member.get(channel, user) !== undefined,
    remove: (channel) => {
      forgetMembers.run(channel);
      forget.run(channel);
    },
    members: (channel) => members.all(channel).map((row) => row.user),
  };
}

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

export const SESSION_STATUSES = ['active', 'processing', 'suspended', 'closed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** An agent's session: one thread in which it works. */
export interface Session {
  channel: string;
  thread_ts: string;
  status: SessionStatus;
  /** Milliseconds since the epoch at which `processing` falls back to `active`. */
  processing_until: number;
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
