import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
import { issueIdIn, readReferences } from '../../filing/reference.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import { classifySlackError } from '../errors.ts';
import { openDm } from '../open-dm.ts';
import { looksUpMember } from './membership.ts';
import type { AsOf, People } from './user-directory.ts';

const CACHE_MS = 60_000;
const MAX_CACHED = 5_000;

/** What the service says of an issue, as far as it tells where it belongs. */
export interface ServiceIssue {
  uuid: string;
  description?: string | undefined;
  seeds?: readonly { description?: string | undefined }[] | undefined;
}

/** Where an issue of the service belongs. */
export type Belonging =
  /** Our record of it says so. */
  | { kind: 'ours'; issue: Issue }
  /** Gumshoe filed it and has no record of it any more; `null` where its channels cannot be told for certain. */
  | { kind: 'forgotten'; channels: readonly string[] | null }
  /** Somebody else filed it: it belongs to no channel. */
  | { kind: 'elsewhere' };

/** Somebody who asks for an issue, and the channel where Slack says that they do. */
export interface Viewer {
  userId: string;
  channel: string;
}

/**
 * Decides who may see and steer an issue that the service names. The rule for those without a record here: it is private
 * unless every channel that it belongs to is public; then it is for members of them all, and for admins.
 */
export interface IssueAccess {
  belonging(issue: ServiceIssue): Promise<Belonging>;
  /** Whether one person may, who alone is shown it. Whether they are an admin is asked as of now, if not said. */
  maySee(belonging: Belonging, viewer: Viewer, asOf?: AsOf): Promise<boolean>;
  /** Whether everybody may who reads a channel. */
  mayBeShownIn(belonging: Belonging, channel: string): Promise<boolean>;
}

export interface IssueAccessOptions {
  store: Store;
  client: WebClient;
  clock: Clock;
  log: Logger;
  people: Pick<People, 'isAdmin'>;
  /** Our link to a message, made without a call. */
  permalink: (channel: string, ts: string) => string;
}

/** What Slack says of channels and their members is remembered for a minute; what it does not say is a no. */
export function createIssueAccess(options: IssueAccessOptions): IssueAccess {
  const { store, client, clock, log, people, permalink } = options;
  const known = new Map<string, { answer: Promise<boolean>; until: number }>();

  function remembered(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const cached = known.get(key);
    if (cached && cached.until > clock.now()) return cached.answer;
    if (known.size >= MAX_CACHED) known.clear();
    const answer = ask();
    known.set(key, { answer, until: clock.now() + CACHE_MS });
    // What failed is asked again.
    answer.catch(() => known.delete(key));
    return answer;
  }

  /** Where Slack cannot be asked, it is as public as it was when Slack last told of it. */
  function isPublic(channel: string): Promise<boolean> {
    if (channel.startsWith('D')) return Promise.resolve(false);
    return remembered(channel, () => asksWhetherPublic(client, channel)).catch(async (error) => {
      log.warn({ err: error, channel }, 'could not check whether a channel is public');
      return !(await store.channels.get(channel)).isPrivate;
    });
  }

  function isMember(userId: string, channel: string): Promise<boolean> {
    const ask = async () =>
      channel.startsWith('D')
        ? (await openDm(client, userId)) === channel
        : await looksUpMember(client, userId, channel);
    return remembered(`${channel}:${userId}`, ask).catch((error) => {
      const level = classifySlackError(error).kind === 'refused' ? 'info' : 'warn';
      log[level]({ err: error, channel }, 'could not check whether somebody is in a channel');
      return false;
    });
  }

  async function mayRead({ userId, channel: here }: Viewer, channel: string): Promise<boolean> {
    return channel === here || (await isPublic(channel)) || (await isMember(userId, channel));
  }

  return {
    belonging: async (issue) => {
      const record = await recordOf(issue, store);
      if (record !== null) return { kind: 'ours', issue: record };
      const tombstone = await store.tombstones.byUuid(issue.uuid);
      if (tombstone !== null) return { kind: 'forgotten', channels: [tombstone.channel] };
      return referenced(issue, permalink);
    },

    maySee: async (belonging, viewer, asOf = 'now') => {
      if (belonging.kind === 'elsewhere') return true;
      if (belonging.kind === 'ours') return mayBeShownIn(store, belonging.issue.channel, viewer.channel);
      const { channels } = belonging;
      if (channels !== null && (await every(channels, (channel) => mayRead(viewer, channel)))) return true;
      return people.isAdmin(viewer.userId, asOf);
    },

    mayBeShownIn: async (belonging, channel) => {
      if (belonging.kind === 'elsewhere') return true;
      if (belonging.kind === 'ours') return mayBeShownIn(store, belonging.issue.channel, channel);
      const { channels } = belonging;
      return (
        channels !== null &&
        (await every(channels, async (home) => home === channel || (await isPublic(home))))
      );
    },
  };
}

/** By its uuid, or by its reference while its record does not have the uuid yet. */
async function recordOf({ uuid, description }: ServiceIssue, store: Store): Promise<Issue | null> {
  const known = await store.issues.byUuid(uuid);
  if (known !== null) return known;
  const id = issueIdIn(description ?? '');
  const named = id === null ? null : await store.issues.get(id);
  return named?.uuid === null ? named : null;
}

/** Without its text nobody can tell whether Gumshoe filed it. */
function referenced(
  { description = '', seeds = [] }: ServiceIssue,
  permalink: IssueAccessOptions['permalink'],
): Belonging {
  const texts = [description, ...seeds.map((seed) => seed.description ?? '')];
  const found = readReferences(texts, permalink);
  if (found.kind === 'channels') return { kind: 'forgotten', channels: found.channels };
  const isUnknown = found.kind === 'unreadable' || description.trim() === '';
  return isUnknown ? { kind: 'forgotten', channels: null } : { kind: 'elsewhere' };
}

/** A channel that Slack does not find is private, or gone. */
async function asksWhetherPublic(client: WebClient, channel: string): Promise<boolean> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    return found?.is_private === false && found.is_im !== true && found.is_mpim !== true;
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind === 'refused' && failure.error === 'channel_not_found') return false;
    throw error;
  }
}

/** One after the other: the first no is enough. */
async function every<T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<boolean> {
  for (const one of all) if (!(await holds(one))) return false;
  return true;
}
