import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
import { issueIdIn, readReferences } from '../../filing/reference.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import { classifySlackError } from '../errors.ts';
import { openDm } from '../open-dm.ts';
import { isPublicNow } from './channel-access.ts';
import { looksUpMember } from './membership.ts';
import type { AsOf, People } from './people.ts';

const CACHE_MS = 60_000;
const MAX_CACHED = 5_000;

/** The parts of an issue from the service that tell where it belongs. */
interface ServiceIssue {
  uuid: string;
  description?: string | undefined;
  seeds?: readonly { description?: string | undefined }[] | undefined;
}

/** Where an issue from the service belongs. */
export type Belonging =
  /** According to our record of it. */
  | { kind: 'ours'; issue: Issue }
  /** Gumshoe filed it but no longer has a record of it; `null` if its channels cannot be determined. */
  | { kind: 'forgotten'; channels: readonly string[] | null }
  /** Somebody else filed it: it belongs to no channel. */
  | { kind: 'elsewhere' };

/** Somebody who asks for an issue, and the channel in which Slack says they do. */
export interface Viewer {
  userId: string;
  channel: string;
}

/**
 * Decides who may see and change an issue that the service returns. An issue without a record here is private unless
 * every channel it belongs to is public; it is then visible to people who are members of all of them, and to admins.
 */
export interface IssueAccess {
  belonging(issue: ServiceIssue): Promise<Belonging>;
  /** Whether one person may see it, if it is shown to nobody else. Admin rights are checked as of now by default. */
  maySee(belonging: Belonging, viewer: Viewer, asOf?: AsOf): Promise<boolean>;
  /** Whether everybody who can read a channel may see it. */
  mayBeShownIn(belonging: Belonging, channel: string): Promise<boolean>;
}

export interface IssueAccessOptions {
  store: Store;
  client: WebClient;
  clock: Clock;
  log: Logger;
  people: Pick<People, 'isAdmin'>;
  /** A link to a message, built without calling Slack. */
  permalink: (channel: string, ts: string) => string;
}

/** What Slack says about channels and members is cached for a minute; what it does not say counts as no. */
export function createIssueAccess(options: IssueAccessOptions): IssueAccess {
  const { store, client, clock, log, people, permalink } = options;
  const known = new Map<string, { answer: Promise<boolean>; until: number }>();

  function remembered(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const cached = known.get(key);
    if (cached && cached.until > clock.now()) return cached.answer;
    if (known.size >= MAX_CACHED) known.clear();
    const answer = ask();
    known.set(key, { answer, until: clock.now() + CACHE_MS });
    // Failures are not cached.
    answer.catch(() => known.delete(key));
    return answer;
  }

  /** If Slack cannot be reached, the channel is as public as when Slack last said so. */
  function isPublic(channel: string): Promise<boolean> {
    if (channel.startsWith('D')) return Promise.resolve(false);
    return remembered(channel, () => isPublicNow(client, channel)).catch(async (error) => {
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

/** By its uuid, or by its reference while the record has no uuid yet. */
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

/** One at a time: the first no is enough. */
async function every<T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<boolean> {
  for (const one of all) if (!(await holds(one))) return false;
  return true;
}
