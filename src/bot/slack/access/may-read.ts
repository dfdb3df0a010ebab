import type { WebClient } from '@slack/web-api';
import type { IssueSummary } from '../../../contract/answers.ts';
import type { Organization, Services } from '../../../contract/client/client.ts';
import { ServiceError } from '../../../contract/client/errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
import { issueIdIn, readReferences } from '../../filing/reference.ts';
import type { Logger } from '../../shared/log.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import { classifySlackError } from '../errors.ts';
import { openDm } from '../open-dm.ts';
import { isPrivateNow, isPublicNow } from './channel-access.ts';
import { looksUpMember, type MembersPage, membersPage } from './membership.ts';
import type { AsOf, People } from './people.ts';

/**
 * Who is about to read something. With a channel: everybody who reads that channel. With a person: that person alone
 * (their Home, a direct message, a reply that only they see). With both, it is enough that one of the two may. With
 * neither: anybody at all, such as an API key that belongs to nobody.
 */
export interface Reader {
  channel?: string;
  person?: string;
}

/** Where an issue from the service belongs. */
export type Belonging =
  /** According to our record of it. */
  | { kind: 'ours'; issue: Issue }
  /** Gumshoe filed it but no longer has a record of it; `null` if its channels cannot be determined. */
  | { kind: 'forgotten'; channels: readonly string[] | null }
  /** Somebody else filed it: it belongs to no channel. */
  | { kind: 'elsewhere'; organization: Organization };

/** An issue, or anything else that was said in a channel. */
type Readable = { channel: string; requestedBy?: string | null } | Belonging;

/**
 * Whether an issue (or what was said in a channel) may be shown to a reader: the one rule of who sees what.
 *
 * - What belongs to a public channel: to anybody.
 * - What belongs to a private channel: there, and to its members. Of a direct message: there, and to its person.
 * - What Gumshoe has no record of any more: if all channels that it names permit it; otherwise to admins.
 * - What was filed elsewhere: to anybody; in the organization of private channels, only in private channels.
 *
 * For what is posted in another channel, Slack is asked whether a public channel still is one, which makes this the question to
 * ask when an intent is carried out, not when it is stored.
 *
 * What Slack says about channels and members is cached for a minute, and what it does not say counts as no. With `now`,
 * because somebody acts on it, members and admins are looked up again, and it rejects if Slack cannot be reached.
 */
export type MayRead = (reader: Reader, what: Readable, asOf?: AsOf) => Promise<boolean>;

const CACHE_MS = 60_000;
const MAX_CACHED = 5_000;

export interface MayReadOptions {
  store: Store;
  client: WebClient;
  clock: Clock;
  log: Logger;
  people: Pick<People, 'isAdmin'>;
  /** Whether Slack says that a channel is private now. Rejects if Slack does not answer. */
  isPrivateChannel: (channel: string) => Promise<boolean>;
}

export function createMayRead(options: MayReadOptions): MayRead {
  const { store, client, clock, log, people } = options;
  const publicity = createCache<boolean>(clock);
  const privacy = createCache<boolean>(clock);
  const memberships = createCache<boolean>(clock);
  const firstPages = createCache<MembersPage>(clock);

  /** As Slack says now; if Slack cannot be reached, as it last said. */
  function isPublic(channel: string): Promise<boolean> {
    if (channel.startsWith('D')) return Promise.resolve(false);
    return publicity(channel, 'remembered', () => isPublicNow(client, channel)).catch(async (error) => {
      log.warn({ err: error, channel }, 'could not check whether a channel is public');
      return !(await store.channels.get(channel)).isPrivate;
    });
  }

  function isMember(person: string, channel: string, asOf: AsOf): Promise<boolean> {
    const ask = async () => {
      if (channel.startsWith('D')) return (await openDm(client, person)) === channel;
      const first = await firstPages(channel, asOf, () => membersPage(client, channel));
      return looksUpMember(client, person, channel, first);
    };
    return memberships(`${channel}:${person}`, asOf, ask).catch((error) => {
      const isRefused = classifySlackError(error).kind === 'refused';
      if (!isRefused && asOf === 'now') throw error;
      log[isRefused ? 'info' : 'warn'](
        { err: error, channel },
        'could not check whether somebody is in a channel',
      );
      return false;
    });
  }

  /** Whether a channel that was public when Slack last reported it has become private since. */
  async function becamePrivate(channel: string): Promise<boolean> {
    if (!(await privacy(channel, 'remembered', () => isPrivateNow(channel, options)))) return false;
    await store.channels.learn(channel, true);
    return true;
  }

  async function mayReadChannel(
    { channel = '', person }: Reader,
    { channel: home, requestedBy }: { channel: string; requestedBy?: string | null },
    asOf: AsOf,
  ): Promise<boolean> {
    if (await mayBeShownIn(store, home, channel)) {
      // What is posted elsewhere stays there; what waited may be of another time.
      const isPosted = channel !== '' && channel !== home && person === undefined;
      return !(isPosted && (await becamePrivate(home)));
    }
    if (person === undefined) return false;
    // A direct message is between the bot and one person.
    if (home.startsWith('D') && requestedBy != null) return requestedBy === person;
    return isMember(person, home, asOf);
  }

  async function mayReadForgotten({ channel, person }: Reader, homes: readonly string[]): Promise<boolean> {
    for (const home of homes) {
      const may =
        home === channel ||
        (await isPublic(home)) ||
        (person !== undefined && (await isMember(person, home, 'remembered')));
      if (!may) return false;
    }
    return true;
  }

  return async (reader, what, asOf = 'remembered') => {
    if ('channel' in what) return mayReadChannel(reader, what, asOf);
    if (what.kind === 'ours') return mayReadChannel(reader, what.issue, asOf);
    if (what.kind === 'elsewhere') {
      if (what.organization === 'default') return true;
      return reader.channel !== undefined && isPrivateNow(reader.channel, options);
    }
    if (what.channels !== null && (await mayReadForgotten(reader, what.channels))) return true;
    return reader.person !== undefined && people.isAdmin(reader.person, asOf);
  };
}

type Cache<T> = (key: string, asOf: AsOf, ask: () => Promise<T>) => Promise<T>;

/** Remembers answers for a minute, but not failures. */
function createCache<T>(clock: Clock): Cache<T> {
  const known = new Map<string, { answer: Promise<T>; until: number }>();
  return (key, asOf, ask) => {
    const cached = known.get(key);
    if (asOf === 'remembered' && cached && cached.until > clock.now()) return cached.answer;
    if (known.size >= MAX_CACHED) known.clear();
    const answer = ask();
    known.set(key, { answer, until: clock.now() + CACHE_MS });
    answer.catch(() => known.delete(key));
    return answer;
  };
}

export async function visiblePlaces(
  person: string,
  { store, mayRead }: { store: Store; mayRead: MayRead },
): Promise<string[]> {
  const places = await store.overview.places();
  const seen = await Promise.all(places.map((place) => mayRead({ person }, place)));
  return places.flatMap(({ channel }, index) => (seen[index] === true ? [channel] : []));
}

interface BelongingDeps {
  store: Store;
  services: Services;
  log: Logger;
  /** A link to a message, built without calling Slack. */
  permalink: (channel: string, ts: string) => string;
}

/** The parts of an issue from the service that tell where it belongs. */
interface ServiceIssue {
  uuid: string;
  description?: string | undefined;
  seeds?: readonly { description?: string | undefined }[] | undefined;
}

export async function belongingOf(
  issue: ServiceIssue,
  organization: Organization,
  { store, permalink }: Pick<BelongingDeps, 'store' | 'permalink'>,
): Promise<Belonging> {
  const record = await recordOf(issue, store);
  if (record !== null) return { kind: 'ours', issue: record };
  const tombstone = await store.tombstones.byUuid(issue.uuid);
  if (tombstone !== null) return { kind: 'forgotten', channels: [tombstone.channel] };
  const { description = '', seeds = [] } = issue;
  const found = readReferences([description, ...seeds.map((seed) => seed.description ?? '')], permalink);
  if (found.kind === 'channels') return { kind: 'forgotten', channels: found.channels };
  // Without its text nobody can tell whether Gumshoe filed it.
  const isUnknown = found.kind === 'unreadable' || description.trim() === '';
  return isUnknown ? { kind: 'forgotten', channels: null } : { kind: 'elsewhere', organization };
}

const MAY_BE_CUT = /^\s*$|(?:…|\.\.\.)\s*$/u;

/** Of a list, which may truncate descriptions, and with them the reference: then the issue itself is fetched. */
export async function belongingOfListed(
  issue: IssueSummary,
  organization: Organization,
  deps: BelongingDeps,
): Promise<Belonging> {
  const belonging = await belongingOf(issue, organization, deps);
  const isKnown =
    belonging.kind === 'ours' || (belonging.kind === 'forgotten' && belonging.channels !== null);
  if (isKnown || !MAY_BE_CUT.test(issue.description)) return belonging;
  try {
    return await belongingOf(
      await deps.services.for(organization).issues.get(issue.uuid),
      organization,
      deps,
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    deps.log.warn(
      { err: error, number: issue.number },
      'could not find out which channel an issue belongs to',
    );
    return { kind: 'forgotten', channels: null };
  }
}

/** By its uuid, or by its reference while the record has no uuid yet. */
async function recordOf({ uuid, description }: ServiceIssue, store: Store): Promise<Issue | null> {
  const known = await store.issues.byUuid(uuid);
  if (known !== null) return known;
  const id = issueIdIn(description ?? '');
  const named = id === null ? null : await store.issues.get(id);
  return named?.uuid === null ? named : null;
}
