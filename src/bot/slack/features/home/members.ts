import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../../lib/clock.ts';
import type { Logger } from '../../../../lib/log.ts';
import { memberPages } from '../../access/membership.ts';
import { classifySlackError } from '../../errors.ts';

const CACHE_MS = 60_000;

/** The members of private channels, cached for a minute. If Slack cannot be reached, nobody counts as a member. */
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
      log.warn(
        { err: error, channel, failure: failure.kind },
        'could not list the members of a private channel',
      );
      return new Set<string>();
    });
    known.set(channel, { members, until: clock.now() + CACHE_MS });
    return members;
  };
}

async function look(client: WebClient, channel: string): Promise<ReadonlySet<string>> {
  const members = new Set<string>();
  for await (const page of memberPages(client, channel)) {
    for (const member of page.members) members.add(member);
  }
  return members;
}
