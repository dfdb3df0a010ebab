import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import {
  type ReceivedAlert,
  readInTurns,
  type WebhookFormat,
  type WebhookReading,
} from '../alerts/format.ts';
import { withRunbooksOf } from '../alerts/runbook.ts';
import type { Alert } from '../alerts/types.ts';
import { type ChannelMessage, StoredAlert } from '../filing/channel-message.ts';

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

/** A stored webhook as its format reads it. A text that is not JSON is passed as it is. */
export async function readPayload(
  format: WebhookFormat,
  body: string,
  headers: string,
): Promise<WebhookReading> {
  const receivedHeaders = decodeStored(z.record(z.string(), z.string()), headers) ?? {};
  const payload = parsedJson(body);
  const reading = await readInTurns(format, payload === undefined ? body : payload, receivedHeaders);
  return withRunbooksOf(reading, payload);
}

/** The value that a JSON text stands for; `undefined` if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A received alert's own message, as filing sees it. */
export function seenOfMessage(
  { channel, ts, tool }: { channel: string; ts: string; tool: string },
  alert: Alert,
  permalink: string | null,
): ChannelMessage {
  const place = { channel, ts, threadTs: null, permalink };
  return { ...place, alert, sender: tool, byPerson: false, edited: false, note: null };
}
