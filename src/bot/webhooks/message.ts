import type { Alert } from '../alerts/types.ts';
import type { ChannelMessage } from '../filing/channel-message.ts';
import type { ReceivedAlertRow } from '../store/received-alerts.ts';

/** A received alert's own message, as filing sees it; `null` if it is not in Slack yet. */
export function seenOfMessage(
  { channel, ts, tool }: Pick<ReceivedAlertRow, 'channel' | 'ts' | 'tool'>,
  alert: Alert,
  permalink: string | null,
): ChannelMessage | null {
  if (channel === null || ts === null) return null;
  const place = { channel, ts, threadTs: null, permalink };
  return { ...place, alert, sender: tool, byPerson: false, edited: false, note: null };
}
