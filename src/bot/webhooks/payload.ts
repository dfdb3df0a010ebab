import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import type { WebhookFormat, WebhookReading } from '../alerts/format.ts';

/** A stored webhook as its format reads it. A text that is not JSON is passed as it is. */
export function readPayload(format: WebhookFormat, body: string, headers: string): WebhookReading {
  const said = decodeStored(z.record(z.string(), z.string()), headers) ?? {};
  const payload = parsedJson(body);
  return format.read(payload === undefined ? body : payload, said);
}

/** The value that a JSON text stands for; `undefined` if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
