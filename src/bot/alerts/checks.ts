import { fingerprintOf } from './fingerprint.ts';
import { severityOf } from './severity.ts';
import type { Alert, AlertKind } from './types.ts';
import { titleOf } from './words.ts';

/** What Nagios and its relatives (Checkmk, Icinga) say of a host, or of a service on it. */
export interface Check {
  host: string;
  /** The check's own name (`disk /var`); `null` where the host itself is checked. */
  service: string | null;
  /** `OK`, `CRITICAL`, `DOWN`, …, as written. */
  state: string;
  /** Why it was sent (`PROBLEM`, `RECOVERY`, `ACKNOWLEDGEMENT`, …); `null` where only the state tells. */
  notification: string | null;
  /** The plugin's own words. */
  output: string | null;
}

const OVER = /^(?:OK|UP)\b/iu;
const ON = /^(?:CRITICAL|WARNING|UNKNOWN|DOWN|UNREACHABLE)\b/iu;
const NOTED = /ACKNOWLEDGE|DOWNTIME|FLAPPING|CUSTOM/iu;

/** What a check makes of an alert: an acknowledgement or a downtime keeps the bad state, and is no alert. */
export function fromCheck(
  format: string,
  check: Check,
): Pick<Alert, 'kind' | 'title' | 'severity' | 'service' | 'host' | 'errorMessage' | 'fingerprint'> {
  const { host, service, state, output } = check;
  const kind = kindOf(check);
  return {
    kind,
    title: titleOf(service === null ? `${host} ${state}` : `${service} on ${host}`),
    severity: kind === 'resolved' ? null : (severityOf(state) ?? severityOf(leadOf(output ?? ''))),
    service,
    host,
    errorMessage: output,
    fingerprint: fingerprintOf(format, host, service ?? ''),
  };
}

function kindOf({ state, notification }: Check): AlertKind {
  const sent = notification?.toUpperCase();
  if (NOTED.test(`${notification ?? ''} ${state}`)) return 'not_an_alert';
  if (sent === 'RECOVERY' || (sent === undefined && OVER.test(state))) return 'resolved';
  return sent === 'PROBLEM' || (sent === undefined && ON.test(state)) ? 'firing' : 'not_an_alert';
}

/** Plugins begin with their verdict: `CRITICAL - Host Unreachable`, `DISK WARNING: 9% left`. */
function leadOf(output: string): string {
  return /^(?:\w+ )?(CRITICAL|WARNING)\b/u.exec(output)?.[1] ?? '';
}
