import type { AlertRow } from '../store/alerts.ts';
import type { Aggregates } from '../store/open.ts';
import { SUGGESTIONS } from './suggest.ts';

/** Slack delivers again for minutes, and a channel that cannot be read is read within the hour. */
export const LATE_MS = 60 * 60_000;

/** The newest message in which an alert fires in a channel, of those decided on lately; what rules ignore is none. */
export function newestFiring(
  tx: Aggregates,
  identity: string,
  channel: string,
  now: number,
): Promise<AlertRow | null> {
  return tx.alerts.newestFiring(identity, { channel, since: now - LATE_MS, suggested: SUGGESTIONS });
}
