import { blank } from './empty-alert.ts';
import { fingerprintOf } from './fingerprint.ts';
import { timeIn } from './timestamps.ts';
import type { Alert, AlertKind } from './types.ts';
import { messageOf, titleOf } from './text-fields.ts';

/** An alarm of CloudWatch, as every tool that forwards one says it. */
export interface CloudWatchAlarm {
  name: string;
  /** `ALARM`, `OK` or `INSUFFICIENT_DATA`. */
  state: string;
  /** The account's number, where the message states it. */
  account: string | null;
  /** As the message writes it: a code, or the name it has for people. */
  region: string | null;
  /** Why the state changed; it speaks of the threshold in every state. */
  reason: string | null;
  alertUrl: string | null;
}

/** The alert that an alarm is; its identity is account, region and name (guide, section 4). */
export function alarmed(format: string, alarm: CloudWatchAlarm): Alert {
  const { name, account, region, reason, alertUrl } = alarm;
  return {
    ...blank(format),
    kind: kindOf(alarm.state),
    title: titleOf(name),
    region,
    triggeredAt: timeIn(reason ?? ''),
    alertUrl,
    errorMessage: messageOf(reason),
    fingerprint: fingerprintOf(format, 'alarm', account ?? '', region ?? '', name),
  };
}

/** Without data an alarm is neither on nor over (guide, section 5). */
function kindOf(state: string): AlertKind {
  const word = state.toUpperCase();
  if (word === 'ALARM') return 'firing';
  return word === 'OK' ? 'resolved' : 'not_an_alert';
}
