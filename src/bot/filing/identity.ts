import { detailOf, identityOf } from '../alerts/identity.ts';
import { type Candidate, nearestOf } from '../alerts/nearest.ts';
import type { Alert, Severity } from '../alerts/types.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Aggregates } from '../store/open.ts';
import { alertOf, type Occurrence, type Report, readReading } from './occurrence.ts';

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

interface Ending {
  identity: AlertIdentity;
  /** How many it may end alike, so that it ends none; `null` if it does not matter. */
  asNear: number | null;
}

/**
 * The problem that a tool's recovery ends. Where no alert of its identity was ever received, its words differ from those of
 * its alert: then it is the nearest of those that the same sender has firing in the channel, or the same source.
 */
export async function endedBy(
  tx: Pick<Aggregates, 'alerts' | 'receivedAlerts'>,
  seen: Occurrence,
  identity: AlertIdentity,
): Promise<Ending> {
  const own = { identity, asNear: null };
  const { alert, report, byPerson, sender } = seen;
  if (alert.kind !== 'resolved' || alert.basis === undefined || byPerson || sender === null) return own;
  if (report !== undefined && report.reading.aliases.length > 0) return own;
  if (report !== undefined && (await tx.receivedAlerts.since(identity.identity, 0)).length > 0) return own;
  if (await tx.alerts.hasFired(identity.identity)) return own;
  const candidates =
    report === undefined ? await firingIn(tx, seen, sender, identity) : await firingAt(tx, report);
  const nearest = nearestOf(alert, candidates);
  if (nearest.kind === 'one') return { identity: { ...identity, identity: nearest.of }, asNear: null };
  return nearest.kind === 'none' ? own : { identity, asNear: nearest.count };
}

async function firingIn(
  tx: Pick<Aggregates, 'alerts'>,
  { channel, ts }: Occurrence,
  sender: string,
  identity: AlertIdentity,
): Promise<Candidate<string>[]> {
  const firing = await tx.alerts.firingOf(channel, sender, ts);
  return firing.flatMap((row) =>
    row.identity === null || environmentIn(row.identity) !== environmentIn(identity.ownIdentity)
      ? []
      : [{ alert: alertOf(row), of: row.identity }],
  );
}

/** What a source has reported and not ended, one of each identity: its newest. */
async function firingAt(
  tx: Pick<Aggregates, 'receivedAlerts'>,
  { source }: Report,
): Promise<Candidate<string>[]> {
  const firing = (await tx.receivedAlerts.notOver(source)).flatMap(({ identity, state, reading }) => {
    const alert = state === 'noted' ? null : readReading(reading)?.alert;
    return identity === null || alert?.kind !== 'firing'
      ? []
      : [[identity, { alert, of: identity }] as const];
  });
  return [...new Map(firing.toReversed()).values()];
}

function environmentIn(identity: string): string {
  return identity.slice(identity.indexOf('@') + 1).split('#', 1)[0] ?? '';
}
