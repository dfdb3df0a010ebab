import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import { parseJson } from '../../lib/json.ts';
import { readInTurns, type WebhookFormat, type WebhookReading } from '../alerts/format.ts';
import { withRunbooksOf } from '../alerts/runbook.ts';

/** A stored webhook as its format reads it. A text that is not JSON is passed as it is. */
export async function readPayload(
  format: WebhookFormat,
  body: string,
  headers: string,
): Promise<WebhookReading> {
  const receivedHeaders = decodeStored(z.record(z.string(), z.string()), headers) ?? {};
  const payload = parseJson(body);
  const reading = await readInTurns(format, payload === undefined ? body : payload, receivedHeaders);
  return withRunbooksOf(reading, payload);
}
