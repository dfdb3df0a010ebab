import type { WebClient } from '@slack/web-api';
import type { Clock } from '../lib/clock.ts';

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 5_000;
const PAGE = 1_000;
const MAX_PAGES = 10;

/** Whether somebody is a member of a channel. */
export type IsMember = (userId: string, channel: string) => Promise<boolean>;

/**
 * Asks `conversations.members`. Who was found is remembered for ten minutes, so that a modal can be answered in
 * time; who was not is looked for again, since they may join the channel next.
 */
export function createIsMember(client: WebClient, clock: Clock): IsMember {
  const found = new Map<string, number>();
  return async (userId, channel) => {
    const key = `${channel}:${userId}`;
    if ((found.get(key) ?? 0) > clock.now()) return true;
    if (!(await looksUpMember(client, userId, channel))) return false;
    if (found.size >= MAX_CACHED) found.clear();
    found.set(key, clock.now() + CACHE_MS);
    return true;
  };
}

/** Whether `conversations.members` names somebody. Rejects where Slack does not say. */
export async function looksUpMember(client: WebClient, userId: string, channel: string): Promise<boolean> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await client.conversations.members({
      channel,
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (answer.members?.includes(userId)) return true;
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return false;
  }
  // A channel of ten thousand cannot be read within the three seconds that Slack gives; whoever writes a command
  // in it has seen it, and anybody can join one as large.
  return true;
}
