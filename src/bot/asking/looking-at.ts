import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';

const LookingAt = z.object({ channel: z.string(), messageTs: z.string().nullable() });

/** What somebody has open in Slack while they ask: a channel, or one message of it. Slack says so; they may not see it. */
export type LookingAt = z.infer<typeof LookingAt>;

/** As stored with a question; `null` if empty or unreadable. */
export function readLookingAt(json: string | null): LookingAt | null {
  return json === null ? null : decodeStored(LookingAt, json);
}
