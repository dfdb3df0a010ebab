import type { Slack } from './calls.ts';
import { bearsKey, findMessage, messagesSince } from './messages.ts';

/** What is older and bears no key is another answer, which Slack ended by itself. */
const MOMENT_MS = 60_000;

interface Place {
  channel: string;
  threadTs: string;
  key: string;
}

/**
 * After a start of unknown outcome: the `ts` of what it left in a thread of a direct message. All that we post bears a
 * key, but for a stream that has not ended; so a message of ours without one is it.
 *
 * @param since when the answer was first asked for, in milliseconds
 * @param askedAt when the question was written, by Slack's clock: ours may have been ahead of it; `null` if not known
 */
export async function findStream(
  slack: Slack,
  where: Place,
  since: number,
  askedAt: number | null,
): Promise<string | null> {
  const usual = since - MOMENT_MS;
  const found = await newestWithout(slack, where, usual);
  if (found !== null) return found;
  const wider = askedAt !== null && askedAt < usual ? await newestWithout(slack, where, askedAt) : null;
  return wider ?? findMessage(slack, where, since);
}

/** The message that bears the key, else the newest of ours that bears none. */
async function newestWithout(slack: Slack, { key, ...where }: Place, since: number): Promise<string | null> {
  let unkeyed: string | null = null;
  for await (const message of messagesSince(slack, where, since)) {
    if (bearsKey(message, key)) return message.ts ?? null;
    const isOurs = message.bot_id !== undefined && message.ts !== where.threadTs;
    const isPlain = message.metadata === undefined && message.files === undefined;
    if (isOurs && isPlain) unkeyed = message.ts ?? null;
  }
  return unkeyed;
}
