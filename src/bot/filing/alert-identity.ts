import type { Alert, Severity } from '../alerts/types.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Aggregates } from '../store/open.ts';
import { identityOf } from './identity.ts';

/** What an alert is about. Its repeats and its recovery find their issue by this. */
export interface AlertIdentity {
  environment: string;
  severity: Severity;
  /** Fingerprint and environment, after *Split off* and *Attach to another issue*. */
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
  const ownIdentity = identityOf(alert.fingerprint, environment);
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

// A number on its own is a reading, which differs between firings; `web-1` is a name.
const READING = /(?<![\p{L}\p{N}_./:-])[-+]?\d[\d.,]*\s?(?:%|ms|s|m|h|[kmgt]i?b)?(?![\p{L}\p{N}_/:-])/giu;

// The state differs too; some tools write it before or after the name: `pay-db-2 DOWN`, later `pay-db-2 UP`.
const STATE =
  '(?:still )?(?:down|up|ok|okay|failed|failure|failing|fails|fixed|back to normal|normal|resolved|recovered|recovery|firing|triggered|alarm|critical|warning|problem|unstable|passed|successful|success|healthy|unhealthy)';
const STATES = new RegExp(`^(?:${STATE}[ :,-]+)+|(?:[ :,-]+${STATE})+$`, 'gu');
const MAX_TITLE = 500;

function detailOf(alert: Alert): string {
  const title = (alert.title ?? '')
    .slice(0, MAX_TITLE)
    .toLowerCase()
    .replace(READING, '#')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(STATES, '');
  return [title, alert.service, alert.host, alert.region, alert.errorType]
    .map((part) => part ?? '')
    .join('|');
}
