import { z } from 'zod';
import { decodeStored } from '../../lib/decode-stored.ts';
import { type Alert, emptyAlert } from '../alerts/types.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { ChannelMessage } from './channel-message.ts';

const words = z.string().nullable();

/** An alert as it is stored. */
export const StoredAlert = z.object({
  kind: z.enum(['firing', 'resolved', 'not_an_alert']),
  format: z.string(),
  title: words,
  description: words,
  severity: z.enum(['low', 'medium', 'high']).nullable(),
  environment: words,
  service: words,
  triggeredAt: words,
  alertUrl: words,
  host: words,
  region: words,
  version: words,
  traceId: words,
  spanId: words,
  errorType: words,
  errorMessage: words,
  tags: z.array(z.string()),
  fingerprint: words,
}) satisfies z.ZodType<Alert>;

const DAMAGED = 'Alert with damaged stored text';

/**
 * The alert of a stored decision, as parsed then. If it is damaged, what the row's other columns say: it still counts
 * toward its issue, and can be filed with a link to its message.
 */
export function alertOf(row: Pick<AlertRow, 'alert' | 'kind' | 'format' | 'fingerprint'>): Alert {
  return readAlert(row.alert) ?? remains(row);
}

/** `null` if it is not in the form that this program writes. */
export function readAlert(json: string): Alert | null {
  return decodeStored(StoredAlert, json);
}

function remains({ kind, format, fingerprint }: Pick<AlertRow, 'kind' | 'format' | 'fingerprint'>): Alert {
  const known = StoredAlert.shape.kind.safeParse(kind).data ?? 'not_an_alert';
  return { ...emptyAlert(format), kind: known, fingerprint, title: DAMAGED };
}

/** The message of a stored decision. */
export function seenOfRow(row: AlertRow, permalink: string | null): ChannelMessage {
  return {
    channel: row.channel,
    ts: row.ts,
    threadTs: row.threadTs,
    permalink,
    alert: alertOf(row),
    sender: row.sender,
    byPerson: false,
    edited: false,
    note: null,
  };
}
