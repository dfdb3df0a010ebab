import type { App, Channel, Team, User } from './entities.ts';
import type { Store } from './store/store.ts';

export const TEAM: Team = { id: 'T0LOCAL001', name: 'Local workspace', domain: 'local' };

/** The organization that `eve` belongs to. */
const OTHER_TEAM = 'T0PARTNER01';

/** The app's ids, the same in every local workspace. */
export const APP_IDS = { id: 'A0LOCAL001', bot_id: 'B0LOCAL001', bot_user_id: 'U0LOCAL001' } as const;

const ALICE = 'U0ALICE001';

/** The default actor. */
export const ADMIN = ALICE;

const BOB = 'U0BOB00001';

/** The channels of a new workspace, by name. The app is a member of all but `payments`; `secrets` is private. */
export const SEED_CHANNELS = {
  alerts: { id: 'C0ALERTS01', topic: 'Alerts from monitoring tools' },
  general: { id: 'C0GENERAL1', topic: 'Company-wide' },
  incidents: { id: 'C0INCIDENT', topic: 'Ongoing incidents' },
  payments: { id: 'C0PAYMENTS', topic: 'The payments team' },
  secrets: { id: 'C0SECRETS1', topic: 'Private channel' },
} as const;

export type SeedChannelName = keyof typeof SEED_CHANNELS;

function person(id: string, name: string, real_name: string, color: string, more: Partial<User> = {}): User {
  return {
    id,
    team_id: TEAM.id,
    name,
    real_name,
    email: `${name}@example.com`,
    is_bot: false,
    is_admin: false,
    is_restricted: false,
    is_stranger: false,
    color,
    tz: 'Etc/UTC',
    ...more,
  };
}

/** The users of a new workspace: an admin, two members, a guest, an external person, the app. */
function seedUsers(app: App): User[] {
  return [
    person(ALICE, 'alice', 'Alice Admin', '9f69e7', { is_admin: true }),
    person(BOB, 'bob', 'Bob Builder', '4bbe2e'),
    person('U0CAROL001', 'carol', 'Carol Oncall', 'e7392d', { tz: 'America/New_York' }),
    person('U0GINA0001', 'gina', 'Gina Guest', '3c989f', { is_restricted: true }),
    person('U0EVE00001', 'eve', 'Eve External', '674b1b', { is_stranger: true, team_id: OTHER_TEAM }),
    person(app.bot_user_id, app.name.toLowerCase(), app.name, '2b6cb0', { is_bot: true, bot_id: app.bot_id }),
  ];
}

/** Whether it is a person's conversation with Slackbot, of which the app knows nothing. */
export function isSlackbots({ is_im, im_user }: Channel): boolean {
  return is_im && im_user === null;
}

/** The channels of a new workspace with their members, Alice's conversation with the app, and everybody's with Slackbot. */
function seedChannels(app: App, created: number): { channel: Channel; members: string[] }[] {
  const people = seedUsers(app)
    .filter((user) => !user.is_bot)
    .map((user) => user.id);
  const members = (name: string) => {
    if (name === 'secrets') return [ALICE, BOB, app.bot_user_id];
    return name === 'payments' ? people : [...people, app.bot_user_id];
  };
  const shared = { creator: ALICE, created, is_archived: false };
  const direct = { ...shared, id: 'D0ALICE001', name: ALICE, topic: '' };
  return [
    ...Object.entries(SEED_CHANNELS).map(([name, { id, topic }]) => ({
      channel: { ...shared, id, name, topic, is_im: false, is_private: name === 'secrets', im_user: null },
      members: members(name),
    })),
    {
      channel: { ...direct, is_im: true, is_private: true, im_user: ALICE },
      members: [ALICE, app.bot_user_id],
    },
    ...people.map((id) => ({
      channel: {
        ...direct,
        id: `DSB${id.slice(2)}`,
        name: 'Slackbot',
        creator: id,
        is_im: true,
        is_private: true,
        im_user: null,
      },
      members: [id],
    })),
  ];
}

/**
 * Adds people and channels to a new workspace. An existing one gets missing channels, and the app's user is updated,
 * because its name comes from the manifest.
 */
export function seedWorkspace(store: Store, app: App, now: number): void {
  const isNew = store.users.all().length === 0;
  for (const user of seedUsers(app)) {
    if (isNew || user.is_bot) store.users.put(user);
  }
  for (const { channel, members } of seedChannels(app, now)) {
    if (store.channels.get(channel.id)) continue;
    store.channels.put(channel);
    for (const member of members) store.channels.join(channel.id, member);
  }
}
