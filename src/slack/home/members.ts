import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { classifySlackError } from '../errors.ts';

const CACHE_MS = 60_000;
const PAGE = 1_000;
const MAX_PAGES = 10;

/**
 * Who is in a private channel, remembered for a minute. Who is not found is not in it, and where Slack cannot be
 * asked nobody is.
 */
export function createMembers(options: {
  client: WebClient;
  clock: Clock;
  log: Logger;
}): (channel: string) => Promise<ReadonlySet<string>> {
  const { client, clock, log } = options;
  const known = new Map<string, { members: Promise<ReadonlySet<string>>; until: number }>();
  return (channel) => {
    const cached = known.get(channel);
    if (cached && cached.until > clock.now()) return cached.members;
    const members = look(client, channel).catch((error) => {
      const failure = classifySlackError(error);
      log.warn({ err: error, channel, failure: failure.kind }, 'who is in a private channel is not known');
      return new Set<string>();
    });
    known.set(channel, { members, until: clock.now() + CACHE_MS });
    return members;
  };
}

async function look(client: WebClient, channel: string): Promise<ReadonlySet<string>> {
  const members = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const more = cursor === undefined ? {} : { cursor };
    const answer = await client.conversations.members({ channel, limit: PAGE, ...more });
    for (const member of answer.members ?? []) members.add(member);
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) break;
  }
  return members;
}
