import type { ReceivedAlert } from '../alerts/format.ts';
import { identityOf } from '../alerts/identity.ts';
import { nearestOf } from '../alerts/nearest.ts';
import { tsWithoutMessage } from '../filing/channel-message.ts';
import { type AlertIdentity, alertIdentity } from '../filing/identity.ts';
import { type IssueCounts, MINUTE_MS } from '../filing/limits.ts';
import { type Unfiled, unfiledOf } from '../filing/recover.ts';
import { countsFor } from '../filing/throttle.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { PULLED, type ReceivedAlertRow } from '../store/received-alerts.ts';
import type { Received, ReceiveOptions } from './delivery.ts';
import { type Route, routeOf } from './routes.ts';
import { hasLabels, readReading } from './stored.ts';

/** Everything that the decision on a received alert is based on. */
export interface ReceivedFacts {
  /** With the fingerprint under which the pull found the same alert. */
  received: Received;
  now: number;
  route: Route | null;
  /** Of the channel that the route names. */
  settings: ChannelSettings;
  maxIssuesPerDay: number;
  /** The webhook's identity and the pull's, which are the same alert; `null` if they are equal already. */
  joined: Join | null;
  /** `null` if repeats cannot be recognized. */
  identity: AlertIdentity | null;
  /** A recovery in other words than its alert, which may end several. */
  isAmbiguous: boolean;
  /** What was received about the identity before, newest first. */
  history: readonly EarlierAlert[];
  /** Its newest message that has not recovered. */
  shown: ShownAlert | null;
  /** The open issue of this very identity. */
  open: Issue | null;
  /** The identities under which the tool's own Slack app writes the alert. */
  aliases: readonly AliasFacts[];
  /** What it would get a message for; `null` unless it fires and has neither an open issue nor a message. */
  fresh: NewAlert | null;
  /** Its issue's recovery has held, or it was resolved within the cool-down: a firing gets a message, and is a repeat. */
  comesBack: boolean;
  /** What waits for an alert that was never filed; `null` unless a message of ours recovers. */
  unfiled: Unfiled | null;
}

/** From now on, everything that counts as `identity` counts as `target`. */
export interface Join {
  identity: string;
  target: string;
}

export interface EarlierAlert
  extends Pick<ReceivedAlertRow, 'id' | 'state' | 'ts' | 'overAt' | 'receivedAt'> {
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

/** What there is room for in the channel of a new alert. */
export interface NewAlert {
  counts: IssueCounts;
  /** Received alerts of the channel that have, or are to get, a message and no decision yet. */
  undecided: number;
  /** The `ts` under which it is held if it gets no message. */
  ts: string;
}

/** Reads what the decision on a received alert is based on. Writes nothing. */
export async function gather(
  tx: Aggregates,
  delivered: Received,
  options: ReceiveOptions,
): Promise<ReceivedFacts> {
  const now = options.clock.now();
  const route = routeOf({ source: delivered.source, ...delivered.reading }, options.routes);
  const { settings } = await tx.channels.get(route?.channel ?? '');
  const { received, joined } = await asPulled(tx, delivered, settings, options);
  const { alert } = received.reading;
  const stated = await alertIdentity(tx, alert, settings, options.defaultEnvironment);
  const ending = stated === null ? null : await endedBy(tx, received, stated);
  const identity = ending?.identity ?? null;
  const base = { received, now, route, settings, maxIssuesPerDay: options.maxIssuesPerDay, joined, identity };
  if (identity === null || ending?.isAmbiguous === true) {
    const nothing = { history: [], shown: null, open: null, aliases: [], fresh: null, unfiled: null };
    const comesBack = false;
    return { ...base, isAmbiguous: identity !== null, comesBack, ...nothing };
  }
  const { history } = ending ?? { history: [] };
  const row = await tx.receivedAlerts.firing(identity.identity);
  const shown = row === null ? null : { id: row.id, hadIssue: await hadIssue(tx, row) };
  const open = await tx.issues.openByIdentity(identity.identity);
  const aliases = await aliasesOf(tx, received.reading, settings, { ...options, joined });
  const comesBack = await firesAnew(tx, open ?? (await tx.issues.lastClosed(identity.identity)), now);
  const isKnown =
    (open !== null && !comesBack) || shown?.hadIssue === false || aliases.some((one) => one.open !== null);
  const isNew = alert.kind === 'firing' && !isKnown;
  return {
    ...base,
    isAmbiguous: false,
    history,
    shown,
    open,
    comesBack,
    aliases,
    fresh: isNew && route !== null ? await freshOf(tx, route.channel, { received, settings, options }) : null,
    unfiled:
      alert.kind === 'resolved' && row?.channel != null && row.ts !== null
        ? await unfiledOf(tx, { channel: row.channel, ts: row.ts, edited: true }, identity.identity, now)
        : null,
  };
}

/**
 * The alert under the fingerprint with which the pull found it: an Alertmanager is often reached at another address than
 * the one it gives in its webhooks, which is part of the fingerprint.
 */
async function asPulled(
  tx: Aggregates,
  received: Received,
  settings: ChannelSettings,
  { defaultEnvironment }: ReceiveOptions,
): Promise<{ received: Received; joined: Join | null }> {
  const { id, source, reading } = received;
  const { alert } = reading;
  const unchanged = { received, joined: null };
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
      received: { ...received, reading: { ...reading, alert: { ...alert, fingerprint } } },
      joined: { identity: own.identity, target: theirs.identity },
    };
  }
  return unchanged;
}

/** What an alert is about, and what was received about that. */
interface Ending {
  identity: AlertIdentity;
  isAmbiguous: boolean;
  history: EarlierAlert[];
}

/**
 * The problem that a recovery ends: where its source never reported one of its identity, the nearest of those that the
 * source has firing.
 */
async function endedBy(
  tx: Aggregates,
  { source, reading: { alert, aliases } }: Received,
  stated: AlertIdentity,
): Promise<Ending> {
  const own = { identity: stated, isAmbiguous: false, history: await historyOf(tx, stated.identity) };
  if (alert.kind !== 'resolved' || alert.basis === undefined || aliases.length > 0) return own;
  if (own.history.length > 0 || (await tx.alerts.hasFired(stated.identity))) return own;
  const firing = (await tx.receivedAlerts.notOver(source)).flatMap(({ identity, state, reading }) => {
    const earlier = state === 'noted' ? null : readReading(reading)?.alert;
    return identity === null || earlier?.kind !== 'firing' ? [] : [[identity, earlier] as const];
  });
  const candidates = [...new Map(firing.toReversed())].map(([of, one]) => ({ of, alert: one }));
  const nearest = nearestOf(alert, candidates);
  if (nearest.kind === 'several') return { ...own, isAmbiguous: true };
  if (nearest.kind === 'none') return own;
  const identity = { ...stated, identity: nearest.of };
  return { identity, isAmbiguous: false, history: await historyOf(tx, nearest.of) };
}

async function historyOf(tx: Aggregates, identity: string): Promise<EarlierAlert[]> {
  const rows = await tx.receivedAlerts.since(identity, 0);
  return rows.map(({ id, state, ts, overAt, receivedAt, reading }) => ({
    id,
    state,
    ts,
    overAt,
    receivedAt,
    reading: readReading(reading),
  }));
}

/** Whether a firing of an issue's alert is a new episode of it. */
async function firesAnew(tx: Aggregates, issue: Issue | null, now: number): Promise<boolean> {
  if (issue === null || issue.state !== 'created' || issue.joinedInto !== null) return false;
  const { settings } = await tx.channels.get(issue.channel);
  const { recoveryMinutes, coolDownMinutes } = settings;
  if (!issue.isOpen) {
    return issue.status === 'resolved' && now - issue.statusSince <= coolDownMinutes * MINUTE_MS;
  }
  const { recoveredAt, status } = issue;
  return recoveredAt !== null && status !== 'muted' && now - recoveredAt >= recoveryMinutes * MINUTE_MS;
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
  { defaultEnvironment, joined }: ReceiveOptions & { joined: Join | null },
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

async function freshOf(
  tx: Aggregates,
  channel: string,
  { received, settings, options }: { received: Received; settings: ChannelSettings; options: ReceiveOptions },
): Promise<NewAlert> {
  return {
    counts: await countsFor(tx, channel, settings, options),
    undecided: await tx.receivedAlerts.countUndecided(channel),
    ts: await freeTs(tx, channel, received),
  };
}

async function freeTs(tx: Aggregates, channel: string, { id, at }: Received): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const ts = tsWithoutMessage(at, `${id}/${attempt}`);
    if ((await tx.alerts.find(channel, ts)) === null) return ts;
  }
}
