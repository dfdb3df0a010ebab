import type { Slack } from './calls.ts';
import { bearsKey, findMessage, messagesSince } from './messages.ts';

/** What is older and bears no key is another answer, which Slack ended by itself. */
const MOMENT_MS = 60_000;

/**
 * After a start of unknown outcome: the `ts` of what it left in a thread of a direct message. All that we post bears a
 * key, but for a stream that has not ended; so a message of ours without one is it.
 *
 * @param since when the answer was first asked for, in milliseconds
 */
export async function findStream(
  slack: Slack,
  { key, ...where }: { channel: string; threadTs: string; key: string },
  since: number,
): Promise<string | null> {
  let unkeyed: string | null = null;
  for await (const message of messagesSince(slack, where, since - MOMENT_MS)) {
    if (bearsKey(message, key)) return message.ts ?? null;
    const isOurs = message.bot_id !== undefined && message.ts !== where.threadTs;
    const isPlain = message.metadata === undefined && message.files === undefined;
    if (isOurs && isPlain) unkeyed = message.ts ?? null;
  }
  return unkeyed ?? findMessage(slack, { ...where, key }, since);
}
