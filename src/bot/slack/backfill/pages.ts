import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Call } from '../delivery/pace.ts';
import { backgroundCall } from './background-call.ts';
import type { BackfillDeps } from './deps.ts';

const PAGE = 200;

/** A message as Slack's history returns it. */
const Past = z.looseObject({
  ts: z.string(),
  thread_ts: z.string().optional(),
  subtype: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  text: z.string().optional(),
  /** On a thread's first message: when its last reply was posted. */
  latest_reply: z.string().optional().catch(undefined),
  edited: z.looseObject({ ts: z.string() }).optional().catch(undefined),
});
export type Past = z.infer<typeof Past>;

const Page = z.looseObject({
  messages: z.array(z.unknown()).catch([]),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
});

interface Range {
  channel: string;
  /** The first moment to read. */
  oldest: string;
  /** The first moment not to read; the end of the history if missing. */
  latest?: string;
}

/** The top level of a channel, page by page, in Slack's order. */
export function historyPages(deps: BackfillDeps, range: Range): AsyncGenerator<Past[]> {
  const { channel, oldest, latest } = range;
  return pages(deps, { method: 'conversations.history', channel }, (client, cursor) =>
    client.conversations.history({
      channel,
      oldest,
      inclusive: true,
      limit: PAGE,
      ...(latest === undefined ? {} : { latest }),
      ...cursor,
    }),
  );
}

/** A thread without its root. */
export async function* replyPages(
  deps: BackfillDeps,
  { channel, ts, oldest }: { channel: string; ts: string; oldest: string },
): AsyncGenerator<Past[]> {
  const all = pages(deps, { method: 'conversations.replies', channel }, (client, cursor) =>
    client.conversations.replies({ channel, ts, oldest, limit: PAGE, ...cursor }),
  );
  for await (const page of all) yield page.filter((reply) => reply.ts !== ts);
}

/** All messages of some pages, oldest first. */
export async function inOrder(all: AsyncGenerator<Past[]>): Promise<Past[]> {
  const messages: Past[] = [];
  for await (const page of all) messages.push(...page);
  return messages.sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

async function* pages(
  deps: BackfillDeps,
  which: Call,
  read: (client: WebClient, cursor: { cursor?: string }) => Promise<unknown>,
): AsyncGenerator<Past[]> {
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? {} : { cursor };
    const page = Page.parse(await backgroundCall(deps, which, (client) => read(client, from)));
    yield page.messages.flatMap((message) => Past.safeParse(message).data ?? []);
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
}
