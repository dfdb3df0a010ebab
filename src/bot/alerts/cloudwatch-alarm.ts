import { emptyAlert } from './empty-alert.ts';
import { fingerprintOf } from './fingerprint.ts';
import { toErrorMessage, toTitle } from './text-fields.ts';
import { timestampIn } from './timestamps.ts';
import type { Alert, AlertKind } from './types.ts';

/** A CloudWatch alarm, as the tools that forward it describe it. */
export interface CloudWatchAlarm {
  name: string;
  /** `ALARM`, `OK` or `INSUFFICIENT_DATA`. */
  state: string;
  /** The account ID, if the message states it. */
  account: string | null;
  /** As in the message: a region code or a display name. */
  region: string | null;
  /** Why the state changed; it mentions the threshold in every state. */
  reason: string | null;
  alertUrl: string | null;
}

/** The alert for an alarm, identified by account, region and name. */
export function alertFromAlarm(format: string, alarm: CloudWatchAlarm): Alert {
  const { name, account, region, reason, alertUrl } = alarm;
  return {
    ...emptyAlert(format),
    kind: kindOf(alarm.state),
    title: toTitle(name),
    region,
    triggeredAt: timestampIn(reason ?? ''),
    alertUrl,
    errorMessage: toErrorMessage(reason),
    fingerprint: fingerprintOf(format, 'alarm', account ?? '', region ?? '', name),
  };
}

/** `INSUFFICIENT_DATA` is neither firing nor resolved. */
function kindOf(state: string): AlertKind {
  const word = state.toUpperCase();
  if (word === 'ALARM') return 'firing';
  return word === 'OK' ? 'resolved' : 'not_an_alert';
}
