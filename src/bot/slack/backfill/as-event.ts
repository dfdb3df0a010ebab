import { parseAlert } from '../../alerts/parse.ts';
import type { AlertRow } from '../../store/alerts.ts';
import type { Past } from './pages.ts';

/** Where a message was found. */
export interface Place {
  channel: string;
  /** As events name it: `channel`, `group`, `im` or `mpim`; absent where it is not known. */
  channelType?: string;
  /** Up to this moment everything was taken when it came. */
  after: string;
}

/**
 * The event that Slack would have sent for a message that was missed, or for a change of it.
 *
 * @param decided what was decided on it before
 * @returns `null` for what was taken already and is as it was.
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
  // Without `previous_message` the parser takes the present state for new; filing compares it with the decision.
  return { ...common, subtype: 'message_changed', hidden: true, ts, event_ts: ts, message: past };
}

/** An edit from before the gap was heard of; messages of some tools do not say that they were edited. */
function hasChanged(past: Past, decided: AlertRow, { after }: Place): boolean {
  if (past.edited !== undefined) return past.edited.ts > after;
  return parseAlert(past).kind !== decided.kind;
}
