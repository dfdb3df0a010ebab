import { detailOf, identityOf } from '../alerts/identity.ts';
import type { Alert, Severity } from '../alerts/types.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Aggregates } from '../store/open.ts';
import { taughtFingerprint } from './lessons.ts';

/** What an alert is about. Its repeats and its recovery find their issue by this. */
export interface AlertIdentity {
  environment: string;
  severity: Severity;
  /** Fingerprint and environment, after *These are two problems* and *The same problem*. */
  identity: string;
  /** Fingerprint and environment alone. */
  ownIdentity: string;
  /** Tells apart alerts with the same fingerprint. */
  detail: string;
}

/** The identity of an alert; `null` if it has no fingerprint. */
export async function alertIdentity(
  tx: Pick<Aggregates, 'identityOverrides'>,
  alert: Alert,
  settings: ChannelSettings,
  defaultEnvironment: string,
): Promise<AlertIdentity | null> {
  if (alert.fingerprint === null) return null;
  const environment = environmentOf(alert, settings, defaultEnvironment);
  const taught = await taughtFingerprint(tx, alert);
  const ownIdentity = identityOf(taught ?? alert.fingerprint, environment);
  const detail = detailOf(alert);
  const identity = await tx.identityOverrides.resolve(ownIdentity, detail);
  return { environment, severity: severityOf(alert, settings), identity, ownIdentity, detail };
}

/** The message's environment, otherwise the channel's, otherwise the default. */
export function environmentOf(alert: Alert, settings: ChannelSettings, defaultEnvironment: string): string {
  return alert.environment?.trim() || settings.environment || defaultEnvironment;
}

/** The message's severity, otherwise the channel's default. */
export function severityOf(alert: Alert, settings: ChannelSettings): Severity {
  return alert.severity ?? settings.defaultSeverity;
}
