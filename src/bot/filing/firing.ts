import type { AlertRow } from '../store/alerts.ts';
import type { Aggregates } from '../store/open.ts';
import { SUGGESTIONS } from './suggest.ts';

/** Slack redelivers for minutes, and a channel that could not be read is read within the hour. */
export const LATE_MS = 60 * 60_000;

/** The newest recent message in which an alert fires in a channel; ignored messages do not count. */
export function newestFiring(
  tx: Aggregates,
  identity: string,
  channel: string,
  now: number,
): Promise<AlertRow | null> {
  return tx.alerts.newestFiring(identity, { channel, since: now - LATE_MS, suggested: SUGGESTIONS });
}
