import { fingerprintOf } from '../../fingerprint.ts';

/** An alert's identity: its id; its number (`#4812`) where a message names no id. */
export function alertFingerprint(id: string): string {
  return fingerprintOf('opsgenie', id);
}
