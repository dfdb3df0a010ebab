import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { isAuthored, isPerson, SlackMessage } from '../../alerts/message.ts';
import type { Slack } from '../delivery/calls.ts';
import { isOwn } from '../listening/event-schema.ts';
import { askSlack, type Deadline, DeadlineExceeded } from './deadline.ts';

/** What the Web API gives at once, and how often it is asked. */
const PAGE = 200;
const MOST_PAGES = 10;
/** So many messages are read before anything else has its turn. */
const AT_ONCE = 10;

const Page = z.object({
  messages: z.array(z.unknown()).catch([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

const WithFiles = z.object({ files: z.array(z.object({ name: z.string().catch('a file') })).catch([]) });

/** A message that somebody wrote. */
export interface Written {
  message: SlackMessage;
  /** The id of the person who wrote it; `null` for a tool. */
  person: string | null;
  /** The names of its files. */
  files: string[];
}

/**
 * What people and tools wrote in a thread before a moment, oldest first; without Slack's notices, deleted messages and
 * our own.
 *
 * @throws TooSlow also for a thread of more than 2,000 messages; what Slack refuses.
 */
export async function writtenBefore(
  moment: string,
  { channel, root }: { channel: string; root: string },
  slack: Slack,
  identity: { botUserId: string; botId: string },
  deadline: Deadline,
): Promise<Written[]> {
  const found: Written[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const range = { channel, ts: root, latest: moment, limit: PAGE, ...(cursor ? { cursor } : {}) };
    const which = { method: 'conversations.replies', channel } as const;
    const answer = await askSlack(slack, which, (client) => client.conversations.replies(range), deadline);
    const { messages, response_metadata } = Page.parse(answer);
    for (const [index, raw] of messages.entries()) {
      if (index % AT_ONCE === 0) await turn();
      found.push(...read(raw, moment, identity));
    }
    cursor = response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return found.sort((a, b) => (a.message.ts < b.message.ts ? -1 : 1));
  }
  throw new DeadlineExceeded(`the thread has more than ${PAGE * MOST_PAGES} messages`);
}

function read(raw: unknown, moment: string, identity: { botUserId: string; botId: string }): Written[] {
  const message = SlackMessage.safeParse(raw).data;
  if (message === undefined || message.ts >= moment || !isAuthored(message)) return [];
  if (isOwn(message, identity)) return [];
  const files = WithFiles.safeParse(raw).data?.files.map(({ name }) => name) ?? [];
  return [{ message, person: isPerson(message) ? message.user : null, files }];
}
