import type { ReceivedAlert } from '../alerts/format.ts';
import { identityOf } from '../alerts/identity.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { PULLED, type ReceivedAlertRow } from '../store/received-alerts.ts';
import { alertIdentity } from './identity.ts';
import { hasLabels, type Report, readReading } from './occurrence.ts';

/** What the decision on a report is based on, beside what a message's is. */
export interface ReportFacts extends Pick<Report, 'channel' | 'delivery'> {
  groupResolved: boolean;
  /** The webhook's identity and the pull's, which are the same alert; `null` if they are equal already. */
  joined: Join | null;
  /** What was received about the identity before, newest first. */
  history: readonly EarlierReport[];
  /** Its newest message that has not recovered. */
  shown: ShownAlert | null;
  /** The identities under which the tool's own Slack app writes the alert. */
  aliases: readonly AliasFacts[];
  /** How many messages of the channel's alerts are still to be posted. */
  unposted: number;
}

/** From now on, everything that counts as `identity` counts as `target`. */
interface Join {
  identity: string;
  target: string;
}

export interface EarlierReport
  extends Pick<ReceivedAlertRow, 'id' | 'state' | 'channel' | 'ts' | 'overAt' | 'receivedAt'> {
  /** `null` once its words are erased. */
  reading: ReceivedAlert | null;
}

interface ShownAlert {
  id: string;
  /** Its message became an issue that is closed by now. */
  hadIssue: boolean;
}

interface AliasFacts {
  identity: string;
  /** The Slack app's message is about this alert alone, and not about its group. */
  alone: boolean;
  /** The open issue of the alias, unless another alert has taken that. */
  open: Issue | null;
  /** The Slack app's message counts for nothing that still fires: neither an issue nor a message of ours. */
  isFree: boolean;
}

/** Reads what is known of a report's identity; `null` if it has none. */
export async function factsOfReport(
  tx: Aggregates,
  { report, joined }: { report: Report; joined: Join | null },
  identity: string | null,
  settings: ChannelSettings,
  defaultEnvironment: string,
): Promise<ReportFacts> {
  const { channel, delivery, reading } = report;
  const base = { channel, delivery, groupResolved: reading.groupResolved, joined };
  if (identity === null) return { ...base, history: [], shown: null, aliases: [], unposted: 0 };
  const rows = await tx.receivedAlerts.since(identity, 0);
  const row = await tx.receivedAlerts.firing(identity);
  return {
    ...base,
    history: rows.map((earlier) => ({ ...earlier, reading: readReading(earlier.reading) })),
    shown: row === null ? null : { id: row.id, hadIssue: await hadIssue(tx, row) },
    aliases: await aliasesOf(tx, reading, settings, { defaultEnvironment, joined }),
    unposted: channel === null ? 0 : await tx.outbox.countAlerts(channel),
  };
}

/**
 * A report under the fingerprint with which the pull found it: an Alertmanager is often reached at another address than
 * the one it gives in its webhooks, which is part of the fingerprint.
 */
export async function asPulled(
  tx: Aggregates,
  report: Report,
  settings: ChannelSettings,
  defaultEnvironment: string,
): Promise<{ report: Report; joined: Join | null }> {
  const { id, source, reading } = report;
  const { alert } = reading;
  const unchanged = { report, joined: null };
  if (alert.triggeredAt === null || id.startsWith(PULLED)) return unchanged;
  for (const row of await tx.receivedAlerts.pulled(source, alert.triggeredAt)) {
    const pulled = readReading(row.reading);
    if (pulled === null || !hasLabels(reading, pulled.labels)) continue;
    const theirs = await alertIdentity(tx, pulled.alert, settings, defaultEnvironment);
    const own = await alertIdentity(tx, alert, settings, defaultEnvironment);
    if (theirs === null || own === null || own.identity !== own.ownIdentity) return unchanged;
    if (own.identity === theirs.identity) return unchanged;
    const { fingerprint } = pulled.alert;
    return {
      report: { ...report, reading: { ...reading, alert: { ...alert, fingerprint } } },
      joined: { identity: own.identity, target: theirs.identity },
    };
  }
  return unchanged;
}

/** Whether a message became an issue that is not open any more; one that was held or ignored stays as it is. */
async function hadIssue(tx: Aggregates, { channel, ts }: ReceivedAlertRow): Promise<boolean> {
  const id = channel === null || ts === null ? null : (await tx.alerts.find(channel, ts))?.issueId;
  return id != null && (await tx.issues.get(id))?.isOpen !== true;
}

async function aliasesOf(
  tx: Aggregates,
  { aliases }: ReceivedAlert,
  settings: ChannelSettings,
  { defaultEnvironment, joined }: { defaultEnvironment: string; joined: Join | null },
): Promise<AliasFacts[]> {
  const found: AliasFacts[] = [];
  for (const { fingerprint, environment, alone = false } of aliases) {
    const identity = identityOf(
      fingerprint,
      environment?.trim() || settings.environment || defaultEnvironment,
    );
    const resolved = await tx.identityOverrides.resolve(identity, '');
    const target = resolved === joined?.identity ? joined.target : resolved;
    const own = await tx.issues.openByIdentity(identity);
    const isFree =
      own === null &&
      (target === identity ||
        ((await tx.issues.openByIdentity(target)) === null &&
          (await tx.receivedAlerts.firing(target)) === null));
    found.push({ identity, alone, open: target === identity ? own : null, isFree });
  }
  return found;
}

/** The open issue of an alias. A recovery does not find the issue of a group of which others still fire. */
export function issueOfAlias(
  { aliases }: Pick<ReportFacts, 'aliases'>,
  { alert, groupResolved }: ReceivedAlert,
): Issue | null {
  if (alert.kind === 'not_an_alert') return null;
  const endsGroup = alert.kind !== 'resolved' || groupResolved;
  return aliases.find(({ alone, open }) => open !== null && (endsGroup || alone))?.open ?? null;
}

/** A firing and its recovery that arrive in the wrong order are not further apart. */
const LATE_MS = 60 * 60_000;

/** When the recovery arrived that ends this very firing; `null` if it has not. */
export function recoveredBefore(
  { at, reading: { alert } }: Report,
  { history }: Pick<ReportFacts, 'history'>,
): number | null {
  const { kind, triggeredAt } = alert;
  if (kind !== 'firing' || triggeredAt === null) return null;
  const recovery = history.find(
    ({ receivedAt, reading }) =>
      receivedAt >= at - LATE_MS &&
      reading?.alert.kind === 'resolved' &&
      reading.alert.triggeredAt === triggeredAt,
  );
  return recovery?.receivedAt ?? null;
}
