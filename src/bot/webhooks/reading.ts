import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { ReceivedAlert } from '../alerts/format.ts';
import { StoredAlert } from '../filing/channel-message.ts';

const Reading = z.object({
  alert: StoredAlert,
  note: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  links: z.array(z.object({ text: z.string(), url: z.string() })),
  aliases: z.array(
    z.object({
      fingerprint: z.string(),
      environment: z.string().nullable(),
      alone: z.literal(true).exactOptional(),
    }),
  ),
  groupResolved: z.boolean(),
}) satisfies z.ZodType<ReceivedAlert>;

/** A received alert as it was stored; `null` once its words are erased. */
export function readReading(json: string): ReceivedAlert | null {
  return decodeStored(Reading, json);
}
