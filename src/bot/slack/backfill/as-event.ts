import { parseAlert } from '../../alerts/parse.ts';
import type { AlertRow } from '../../store/alerts.ts';
import type { Past } from './pages.ts';

/** Where a message was found. */
export interface Place {
  channel: string;
  /** As in events: `channel`, `group`, `im` or `mpim`; missing if unknown. */
  channelType?: string;
  /** Everything up to this moment was taken when it arrived. */
  after: string;
}

/**
 * The event that Slack would have sent for a missed message, or for a missed edit.
 *
 * @param decided the existing decision on it
 * @returns `null` if it was already taken and has not changed.
 */
export function asEvent(
  past: Past,
  decided: AlertRow | null,
  place: Place,
): (Record<string, unknown> & { ts: string; text?: string | undefined }) | null {
  const common = {
    type: 'message',
    channel: place.channel,
    ...(place.channelType === undefined ? {} : { channel_type: place.channelType }),
  };
  if (decided === null) {
    return past.ts > place.after ? { ...past, ...common, event_ts: past.ts } : null;
  }
  if (!hasChanged(past, decided, place)) return null;
  const ts = past.edited?.ts ?? past.ts;
  // Without `previous_message` the parser takes the current state as new; filing compares it with the decision.
  return { ...common, subtype: 'message_changed', hidden: true, ts, event_ts: ts, message: past };
}

/** An edit from before the gap was already seen; some tools' messages do not say that they were edited. */
function hasChanged(past: Past, decided: AlertRow, { after }: Place): boolean {
  if (past.edited !== undefined) return past.edited.ts > after;
  return parseAlert(past).kind !== decided.kind;
}
