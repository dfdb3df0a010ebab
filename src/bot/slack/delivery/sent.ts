import { createHash } from 'node:crypto';
import { z } from 'zod';
import { decodeStored } from '../../../lib/decode-stored.ts';
import type { Rendered } from '../../render/rendered.ts';

const SentMessage = z.array(
  z.object({
    ts: z.string(),
    hash: z.string(),
    /** It began as a Slack stream, and cannot be edited until that has ended. */
    stream: z.enum(['open', 'over']).optional(),
  }),
);
export type SentMessage = z.infer<typeof SentMessage>;

/** Reads the outbox's `sent` column; `null` if it is damaged. */
export function readSent(json: string): SentMessage | null {
  return decodeStored(SentMessage, json);
}

/** Equal for messages that look the same; an edit that changes nothing is not sent. */
export function contentHash(rendered: Rendered): string {
  return createHash('sha256').update(JSON.stringify(rendered)).digest('hex').slice(0, 16);
}
