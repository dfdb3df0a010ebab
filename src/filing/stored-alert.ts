import { z } from 'zod';
import type { Alert } from '../alerts/types.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { Seen } from './seen.ts';

const words = z.string().nullable();

const StoredAlert: z.ZodType<Alert> = z.object({
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
});

/** The alert of a stored decision, as it was parsed then. */
export function alertOf(row: { alert: string }): Alert {
  return StoredAlert.parse(JSON.parse(row.alert));
}

/** A stored decision as the message that it was taken for. */
export function seenOfRow(row: AlertRow, permalink: string | null): Seen {
  return {
    channel: row.channel,
    ts: row.ts,
    threadTs: row.thread_ts,
    permalink,
    alert: alertOf(row),
    sender: row.sender,
    byPerson: false,
    edited: false,
    note: null,
  };
}
