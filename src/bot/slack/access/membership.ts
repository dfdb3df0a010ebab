import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import { classifySlackError } from '../errors.ts';

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 5_000;
/** Slack's maximum page sizes. */
const MEMBERS_A_PAGE = 1_000;
const CHANNELS_A_PAGE = 999;

export type IsMember = (userId: string, channel: string) => Promise<boolean>;

/**
 * Members are cached for ten minutes, so that a modal can be answered in time; non-members are not, because they may
 * join next. If Slack does not say, nobody is a member.
 */
export function createIsMember(client: WebClient, clock: Clock): IsMember {
  const found = new Map<string, number>();
  return async (userId, channel) => {
    const key = `${channel}:${userId}`;
    if ((found.get(key) ?? 0) > clock.now()) return true;
    if (!(await unlessRefused(looksUpMember(client, userId, channel), false))) return false;
    if (found.size >= MAX_CACHED) found.clear();
    found.set(key, clock.now() + CACHE_MS);
    return true;
  };
}

/** Some members of a channel, and where the others begin; `next` is missing if these are all. */
export interface MembersPage {
  members: readonly string[];
  next?: string | undefined;
}

/**
 * Asks Slack whether somebody is in a channel of any size. Most channels fit into one page of `conversations.members`;
 * for a larger one, `users.conversations` says so in a call or two, within Slack's three seconds. Rejects if Slack does
 * not say.
 *
 * @param known the first page, if it has been read
 */
export async function looksUpMember(
  client: WebClient,
  userId: string,
  channel: string,
  known?: MembersPage,
): Promise<boolean> {
  let page = known ?? (await membersPage(client, channel));
  if (page.members.includes(userId)) return true;
  if (page.next === undefined) return false;
  const isMember = await unlessRefused(isAmongTheirs(client, userId, channel), null);
  if (isMember !== null) return isMember;
  const seen = new Set<string>();
  while (page.next !== undefined && !seen.has(page.next)) {
    seen.add(page.next);
    page = await membersPage(client, channel, page.next);
    if (page.members.includes(userId)) return true;
  }
  return false;
}

export async function membersPage(client: WebClient, channel: string, cursor?: string): Promise<MembersPage> {
  const { members = [], response_metadata } = await client.conversations.members({
    channel,
    limit: MEMBERS_A_PAGE,
    ...(cursor === undefined ? {} : { cursor }),
  });
  return { members, next: response_metadata?.next_cursor || undefined };
}

/** Of somebody's channels, Slack lists the public ones, and the private ones that the bot is in too. */
async function isAmongTheirs(client: WebClient, userId: string, channel: string): Promise<boolean> {
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const answer = await client.users.conversations({
      user: userId,
      types: 'public_channel,private_channel',
      limit: CHANNELS_A_PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (answer.channels?.some(({ id }) => id === channel)) return true;
    cursor = nextOf(answer.response_metadata, seen);
    if (cursor === undefined) return false;
  }
}

/** The cursor of the next page; a repeated one would loop. */
function nextOf(metadata: { next_cursor?: string } | undefined, seen: Set<string>): string | undefined {
  const next = metadata?.next_cursor || undefined;
  if (next === undefined || seen.has(next)) return undefined;
  seen.add(next);
  return next;
}

async function unlessRefused<T, U>(asked: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await asked;
  } catch (error) {
    if (classifySlackError(error).kind === 'refused') return otherwise;
    throw error;
  }
}
