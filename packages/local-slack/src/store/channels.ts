import type { Database } from 'better-sqlite3';
import type { Channel } from '../entities.ts';

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
