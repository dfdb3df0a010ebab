import { fingerprintOf } from '../../fingerprint.ts';

/** An incident's identity: its id, in whichever account. */
export function incidentFingerprint(id: string): string {
  return fingerprintOf('pagerduty', id);
}

/** `[#48213] checkout-api: 5xx ratio above 5%`: what is wrong stands behind the colon. */
export function problemOf(title: string): string | null {
  return /^(?:\[#?\w{1,20}\] )?[^:]{1,100}: (.+)$/u.exec(title)?.[1] ?? null;
}
