import type { Database } from 'better-sqlite3';
import type { Channel, User } from '../entities.ts';
import type { HomeView } from '../interact/home-view.ts';
import { bodies } from './bodies.ts';

/** In the order in which they came. */
export type UserStore = ReturnType<typeof createUserStore>;

export function createUserStore(db: Database) {
  const users = bodies<User>(db, 'users', { key: ['id'], order: 'position', hasPosition: true });
  return { ...users, put: (user: User) => users.put(user, user.id) };
}

export type ChannelStore = ReturnType<typeof createChannelStore>;

export function createChannelStore(db: Database) {
  const channels = bodies<Channel>(db, 'channels', { key: ['id'], order: 'position', hasPosition: true });
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
  return {
    ...channels,
    put: (channel: Channel) => channels.put(channel, channel.id),
    /** The channel of that name, without `#`. */
    named: (name: string) => channels.all().find((channel) => !channel.is_im && channel.name === name),
    /** The conversation of the app with a person. */
    imWith: (user: string) => channels.all().find((channel) => channel.im_user === user),
    /** @returns whether the person was not a member before. */
    join: (channel: string, user: string) => join.run(channel, user).changes > 0,
    /** @returns whether the person was a member before. */
    leave: (channel: string, user: string) => leave.run(channel, user).changes > 0,
    isMember: (channel: string, user: string) => member.get(channel, user) !== undefined,
    members: (channel: string) => members.all(channel).map((row) => row.user),
    /** With its members; its messages stay, unseen by anybody. */
    remove: (channel: string) => {
      forgetMembers.run(channel);
      forget.run(channel);
    },
  };
}

/** The Home that the app has published for each person. */
export type HomeStore = ReturnType<typeof createHomeStore>;

export function createHomeStore(db: Database) {
  const homes = bodies<HomeView>(db, 'homes', { key: ['user'], order: 'rowid' });
  return { ...homes, put: (home: HomeView) => homes.put(home, home.user) };
}

/** The prompts that the app has put on top of a person's Messages tab. */
export interface TabPrompts {
  prompts_title: string | null;
  prompts: { title: string; message: string }[];
}

export type MessagesTabStore = ReturnType<typeof createMessagesTabStore>;

export function createMessagesTabStore(db: Database) {
  return bodies<TabPrompts>(db, 'messages_tabs', { key: ['user'], order: 'rowid' });
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

/** The newest thread first. */
export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(db: Database) {
  const sessions = bodies<Session>(db, 'sessions', { key: ['channel', 'ts'], order: 'ts DESC' });
  return {
    ...sessions,
    put: (session: Session) => sessions.put(session, session.channel, session.thread_ts),
  };
}
