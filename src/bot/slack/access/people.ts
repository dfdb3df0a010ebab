import type { UsersInfoResponse, WebClient } from '@slack/web-api';
import { type Clock, raceAbort } from '../../../lib/clock.ts';
import { oneLine } from '../../../lib/text.ts';
import type { Metrics } from '../../shared/metrics.ts';
import type { Store } from '../../store/open.ts';
import { classifySlackError, SlowAnswerError } from '../errors.ts';
import { createIsMember } from './membership.ts';

const CACHE_MS = 10 * 60_000;
/** Slack gives three seconds for an answer. */
const PATIENCE_MS = 2_000;
const MAX_CACHED = 5_000;
const UTC = 'Etc/UTC';
const NOT_OURS = new Set(['user_not_found', 'user_not_visible']);

/** Why a person may not use Gumshoe; `null` if they may. */
type Refusal = 'guest' | 'external' | null;

/** Whether to ask Slack again, because somebody acts on it, or whether a cached answer will do for display. */
export type AsOf = 'now' | 'remembered';

export interface People {
  refusal(userId: string): Promise<Refusal>;
  /** One of `ADMIN_USERS`, or an admin or owner of the workspace; as of now by default. */
  isAdmin(userId: string, asOf?: AsOf): Promise<boolean>;
  /** Their time zone in Slack; UTC if unknown. */
  zone(userId: string): Promise<string>;
  /**
   * Why a person may not change a channel's settings: only its members may, or only admins (`SETTINGS_BY`). Admin
   * rights are checked as of now by default.
   */
  maySet(userId: string, channel: string, asOf?: AsOf): Promise<Refusal | 'not_admin' | 'not_member'>;
}

export interface SlackUser {
  /** Belongs to another organization, whatever `ALLOW_EXTERNAL` says. */
  isExternal: boolean;
  /** Their display name; `null` if Slack does not say. */
  name: string | null;
  /** All their names: display name, real name, first name, handle; not the id. */
  names: readonly string[];
}

export interface UserDirectory {
  /** @throws the client's error if Slack does not say. */
  whoIs(userId: string): Promise<SlackUser>;
}

/** What `users.info` says about somebody. */
interface Person extends Omit<SlackUser, 'isExternal'> {
  kind: Refusal;
  isAdmin: boolean;
  zone: string;
}

/**
 * Looks people up with `users.info`, cached for ten minutes, except for those who act as admins, whose rights may just
 * have been revoked. Refusals are counted.
 */
export function createUserDirectory(options: {
  client: WebClient;
  clock: Clock;
  metrics: Pick<Metrics, 'count'>;
  teamId: string;
  allowGuests: boolean;
  allowExternal: boolean;
  adminUsers: readonly string[];
  settingsBy: 'members' | 'admins';
  /** How long somebody waits for Slack's answer before they are told that it takes longer; real time. */
  patienceMs?: number;
}): People & UserDirectory {
  const { client, clock, teamId, patienceMs = PATIENCE_MS } = options;
  /** Look-ups that are under way: what comes too late for one delivery is there for its next try. */
  const asking = new Map<string, Promise<Person>>();
  let limited: { until: number; error: unknown } = { until: 0, error: null };
  const known = new Map<string, { person: Person; until: number }>();
  const isMember = createIsMember(client, clock);

  async function personOf(userId: string, asOf: AsOf = 'remembered'): Promise<Person> {
    const cached = known.get(userId);
    if (asOf === 'remembered' && cached && cached.until > clock.now()) return cached.person;
    const late = AbortSignal.timeout(patienceMs);
    return raceAbort(late, asking.get(userId) ?? ask(userId)).catch((error) => {
      if (!late.aborted || error !== late.reason) throw error;
      throw new SlowAnswerError('Slack takes long to say who somebody is', { cause: error });
    });
  }

  function ask(userId: string): Promise<Person> {
    if (limited.until > clock.now()) return Promise.reject(limited.error);
    const answer = lookUp(client, userId, teamId).then(
      (person) => {
        if (known.size >= MAX_CACHED) known.clear();
        known.set(userId, { person, until: clock.now() + CACHE_MS });
        asking.delete(userId);
        return person;
      },
      (error) => {
        asking.delete(userId);
        const failure = classifySlackError(error);
        if (failure.kind === 'rate_limited') limited = { until: clock.now() + failure.retryAfterMs, error };
        throw error;
      },
    );
    asking.set(userId, answer);
    return answer;
  }

  async function refusal(userId: string): Promise<Refusal> {
    if (options.allowGuests && options.allowExternal) return null;
    const { kind } = await personOf(userId);
    if (kind === 'guest' && options.allowGuests) return null;
    return kind === 'external' && options.allowExternal ? null : kind;
  }

  async function isAdmin(userId: string, asOf: AsOf): Promise<boolean> {
    return options.adminUsers.includes(userId) || (await personOf(userId, asOf)).isAdmin;
  }

  async function maySet(userId: string, channel: string, asOf: AsOf) {
    const refused = await refusal(userId);
    if (refused !== null) return refused;
    const byMembers = options.settingsBy === 'members';
    if (byMembers && (await isMember(userId, channel))) return null;
    if (await isAdmin(userId, asOf)) return null;
    return byMembers ? 'not_member' : 'not_admin';
  }

  function counted<T extends string>(reason: T | null): T | null {
    if (reason !== null) options.metrics.count('gumshoe_refused_people_total', { reason });
    return reason;
  }

  return {
    refusal: async (userId) => counted(await refusal(userId)),
    isAdmin: async (userId, asOf = 'now') => {
      const is = await isAdmin(userId, asOf);
      if (!is && asOf === 'now') counted('not_admin');
      return is;
    },
    zone: async (userId) => (await personOf(userId)).zone,
    whoIs: async (userId) => {
      const { kind, name, names } = await personOf(userId);
      return { isExternal: kind === 'external', name, names };
    },
    maySet: async (userId, channel, asOf = 'now') => counted(await maySet(userId, channel, asOf)),
  };
}

/** What a person or a channel is called in a file, where Slack shows no names; `null` if Slack does not say. */
export function createNameOf(
  people: UserDirectory,
  client: WebClient,
): (id: string) => Promise<string | null> {
  return async (id) => {
    try {
      if (/^[UW]/u.test(id)) return (await people.whoIs(id)).name;
      const { channel } = await client.conversations.info({ channel: id });
      return channel?.name ? `#${channel.name}` : null;
    } catch {
      // A file with ids is better than none.
      return null;
    }
  };
}

async function lookUp(client: WebClient, userId: string, teamId: string): Promise<Person> {
  try {
    const { user } = await client.users.info({ user: userId });
    const zone = user?.tz || UTC;
    const called = namesOf(user);
    const teams = [user?.team_id ?? teamId, ...(user?.enterprise_user?.teams ?? [])];
    if (user?.is_stranger === true || !teams.includes(teamId))
      return { kind: 'external', isAdmin: false, zone, ...called };
    const isGuest = user?.is_restricted === true || user?.is_ultra_restricted === true;
    const isAdmin = [user?.is_admin, user?.is_owner, user?.is_primary_owner].includes(true);
    return { kind: isGuest ? 'guest' : null, isAdmin, zone, ...called };
  } catch (error) {
    const failure = classifySlackError(error);
    // Slack does not show us everybody from other organizations in a shared channel.
    if (failure.kind === 'refused' && NOT_OURS.has(failure.error))
      return { kind: 'external', isAdmin: false, zone: UTC, name: null, names: [] };
    throw error;
  }
}

function namesOf(user: UsersInfoResponse['user']): Pick<Person, 'name' | 'names'> {
  const { display_name, real_name, first_name } = user?.profile ?? {};
  const all = [display_name, real_name, user?.real_name, first_name, user?.name].map((one) =>
    oneLine(one ?? ''),
  );
  const names = [...new Set(all.filter((one) => one !== ''))];
  return { name: names[0] ?? null, names };
}

const MOST_ADMINS = 3;
const PAGE = 200;
/** A large workspace lists its admins somewhere among thousands: a few calls, no more. */
const MAX_PAGES = 10;

/** Whom to tell about problems that only an operator can fix. */
export interface Admins {
  /**
   * Ids of people: `ADMIN_USERS`. If unset, whoever last changed the settings of the channel (of any watched one if
   * none is given), otherwise up to three admins of the workspace. Empty if Slack does not list them.
   *
   * @throws the client's error if Slack cannot be reached now
   */
  adminsToNotify(channel?: string): Promise<string[]>;
}

export function createAdmins({
  client,
  store,
  adminUsers,
}: {
  client: WebClient;
  store: Store;
  adminUsers: readonly string[];
}): Admins {
  return {
    adminsToNotify: async (channel) => {
      if (adminUsers.length > 0) return [...adminUsers];
      const watched = channel === undefined ? await store.channels.watched() : [{ channel }];
      const setter = await store.audit.lastToSet(watched.map((one) => one.channel));
      return setter === null ? workspaceAdmins(client) : [setter];
    },
  };
}

async function workspaceAdmins(client: WebClient): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES && found.length < MOST_ADMINS; page += 1) {
      const answer = await client.users.list({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
      for (const { id, deleted, is_bot, is_admin, is_owner } of answer.members ?? []) {
        if (id && deleted !== true && is_bot !== true && (is_admin || is_owner)) found.push(id);
      }
      cursor = answer.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) break;
    }
  } catch (error) {
    if (classifySlackError(error).kind !== 'refused') throw error;
  }
  return found.slice(0, MOST_ADMINS);
}
