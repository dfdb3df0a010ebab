import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import { readInTurns, type WebhookFormat, type WebhookReading } from '../alerts/format.ts';
import { withRunbooksOf } from '../alerts/runbook.ts';

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

/** The value of a JSON text; `undefined` if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
