import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { ReceivedAlert } from '../alerts/format.ts';
import { StoredAlert } from './stored-alert.ts';

/** What a webhook, or the pull of an Alertmanager, brings: an alert that has no message of its own yet. */
export interface Report {
  /** Stable: the same alert of the same webhook again is received once. */
  id: string;
  source: string;
  reading: ReceivedAlert;
  /** Milliseconds. */
  at: number;
  delivery: Delivery;
  /** Where a route sends it; `null` if none does. */
  channel: string | null;
}

/** What arrived together. More than the channel has room for gets one message, not one each. */
export interface Delivery {
  /** How many of its alerts fire. */
  firing: number;
  /** How many of them have messages of their own, so far. */
  own: number;
  /** Whether members of a channel have agreed to issues: until then nothing of it is held or filed. */
  hasConsent: (channel: string) => boolean;
}

const Reading = z.object({
  alert: StoredAlert,
  note: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  moreLabels: z.number().exactOptional(),
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

/** Whether a received alert is the one with these labels; a webhook may have added those of its route. */
export function hasLabels(
  { labels: received }: Pick<ReceivedAlert, 'labels'>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  const pairs = Object.entries(wanted);
  return pairs.every(([name, value]) => received[name] === value);
}
