import type { ReceivedAlert } from '../alerts/format.ts';
import { identityOf } from '../alerts/identity.ts';
import { nearestOf } from '../alerts/nearest.ts';
import type { Severity } from '../alerts/types.ts';
import { recordDecision } from '../filing/carry-out.ts';
import { type ConsentOptions, type DecideOptions, tsWithoutMessage } from '../filing/channel-message.ts';
import { countRepeat, raiseSeverity } from '../filing/file.ts';
import { type AlertIdentity, alertIdentity } from '../filing/identity.ts';
import { heldReason, roomOf, STORM } from '../filing/limits.ts';
import { endUnfiled, recover, unfiledOf } from '../filing/recover.ts';
import { countsFor, hold } from '../filing/throttle.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import { alertIntent } from '../store/intents/channel-intents.ts';
import { alertKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { PULLED, type ReceivedAlertRow } from '../store/received-alerts.ts';
import { type Route, routeOf } from './routes.ts';
import { readReading, seenOfMessage } from './stored.ts';

/** An alert of a webhook, and where it came from. */
export interface Received {
  /** Stable: the same alert of the same webhook again is received once. */
  id: string;
  source: string;
  /** What people call the tool. */
  tool: string;
  reading: ReceivedAlert;
  /** Milliseconds. */
  at: number;
  delivery: Delivery;
}

/** What arrived together. More than the channel has room for gets one message, not one each. */
export interface Delivery {
  /** How many of its alerts fire. */
  firing: number;
  /** How many of them have messages of their own, so far. */
  own: number;
  /** Whether a channel's alerts may be held: nothing is, until its members have agreed to issues. */
  mayHold: (channel: string) => boolean;
}

export interface ReceiveOptions extends DecideOptions {
  routes: readonly Route[];
}

/** What it takes to know whether a channel's alerts may be held. */
export interface DeliveryOptions extends ConsentOptions {
  store: Store;
  isPrivateChannel: (channel: string) => Promise<boolean>;
}

/** What became of a received alert. */
export type ReceivedOutcome =
  | 'posting'
  | 'held'
  | 'counted'
  | 'recovered'
  | 'noted'
  | 'unrouted'
  | 'ignored'
  | 'ambiguous'
  | 'known';

/** With its place in the delivery, which its id comes from. */
export function mostSevereFirst(alerts: readonly ReceivedAlert[]): [number, ReceivedAlert][] {
  const rank = ({ alert }: ReceivedAlert) => SEVERITIES.indexOf(alert.severity ?? 'medium');
  return [...alerts.entries()].sort(([, one], [, other]) => rank(one) - rank(other));
}

const SEVERITIES: readonly Severity[] = ['high', 'medium', 'low'];

/** What arrives together, and in which of its channels it may be held. */
export async function deliveryOf(
  source: string,
  alerts: readonly ReceivedAlert[],
  options: ReceiveOptions & DeliveryOptions,
): Promise<Delivery> {
  const firing = alerts.filter(({ alert }) => alert.kind === 'firing');
  const channels = new Set(
    firing.flatMap(({ labels }) => routeOf({ source, labels }, options.routes)?.channel ?? []),
  );
  const open = new Set<string>();
  for (const channel of channels) {
    await learnChannel(channel, options);
    if (!(await options.needsConsent(channel))) open.add(channel);
  }
  return { firing: firing.length, own: 0, mayHold: (channel) => open.has(channel) };
}

/** Nobody may have written in the channel since the bot joined it, and a private one's issues have their own place. */
export async function learnChannel(
  channel: string,
  { store, isPrivateChannel }: Pick<DeliveryOptions, 'store' | 'isPrivateChannel'>,
): Promise<void> {
  // What is not known counts as private.
  const { isPrivate } = await store.channels.get(channel);
  if (isPrivate && !(await isPrivateChannel(channel))) await store.channels.learn(channel, false);
}

/** A firing and its recovery that arrive in the wrong order are not further apart. */
const LATE_MS = 60 * 60_000;

interface Context {
  tx: Aggregates;
  received: Received;
  route: Route | null;
  settings: ChannelSettings;
  problem: AlertIdentity;
  /** The open issue of this very identity. */
  open: Issue | null;
  options: ReceiveOptions;
}

/**
 * Brings a received alert to its issue, or asks for a message of its own, all in one transaction: an alert that is
 * known already, here or from the tool's own Slack app, is counted or has recovered; a new one gets a message in the
 * channel that its route names.
 */
export async function receiveAlert(
  tx: Aggregates,
  delivered: Received,
  options: ReceiveOptions,
): Promise<ReceivedOutcome> {
  if ((await tx.receivedAlerts.get(delivered.id)) !== null) return 'known';
  const route = routeOf({ source: delivered.source, ...delivered.reading }, options.routes);
  const { settings } = await tx.channels.get(route?.channel ?? '');
  const received = await asPulled(tx, delivered, settings, options);
  const { alert } = received.reading;
  const stated = await alertIdentity(tx, alert, settings, options.defaultEnvironment);
  if (stated === null) {
    await keep(tx, received, null, 'noted');
    return 'ignored';
  }
  const problem = await endedBy(tx, received, stated);
  if (problem === null) {
    await keep(tx, received, stated.identity, 'noted', { overAt: options.clock.now() });
    return 'ambiguous';
  }
  const open = await tx.issues.openByIdentity(problem.identity);
  const context = { tx, received, route, settings, problem, open, options };
  if (alert.kind === 'firing') return fires(context);
  return alert.kind === 'resolved' ? recovers(context) : isNoted(context);
}

/**
 * The problem that a recovery ends: where its source never reported one of its identity, the nearest of those that the
 * source has firing; `null` if several are as near.
 */
async function endedBy(
  tx: Aggregates,
  { source, reading: { alert, aliases } }: Received,
  problem: AlertIdentity,
): Promise<AlertIdentity | null> {
  if (alert.kind !== 'resolved' || alert.basis === undefined || aliases.length > 0) return problem;
  const known = await tx.receivedAlerts.since(problem.identity, 0);
  if (known.length > 0 || (await tx.alerts.hasFired(problem.identity))) return problem;
  const firing = (await tx.receivedAlerts.notOver(source)).flatMap(({ identity, state, reading }) => {
    const said = state === 'noted' ? null : readReading(reading)?.alert;
    return identity === null || said?.kind !== 'firing' ? [] : [[identity, said] as const];
  });
  const candidates = [...new Map(firing.toReversed())].map(([of, one]) => ({ of, alert: one }));
  const nearest = nearestOf(alert, candidates);
  if (nearest.kind === 'several') return null;
  return nearest.kind === 'one' ? { ...problem, identity: nearest.of } : problem;
}

/**
 * The alert under the fingerprint with which the pull found it: an Alertmanager is often reached at another address than
 * the one it gives in its webhooks, which is part of the fingerprint. Both count as one from now on.
 */
async function asPulled(
  tx: Aggregates,
  received: Received,
  settings: ChannelSettings,
  { defaultEnvironment }: ReceiveOptions,
): Promise<Received> {
  const { id, source, reading } = received;
  const { alert } = reading;
  if (alert.triggeredAt === null || id.startsWith(PULLED)) return received;
  for (const row of await tx.receivedAlerts.pulled(source, alert.triggeredAt)) {
    const pulled = readReading(row.reading);
    if (pulled === null || !hasLabels(reading, pulled.labels)) continue;
    const theirs = await alertIdentity(tx, pulled.alert, settings, defaultEnvironment);
    const own = await alertIdentity(tx, alert, settings, defaultEnvironment);
    if (theirs === null || own === null || own.identity !== own.ownIdentity) return received;
    if (own.identity === theirs.identity) return received;
    await tx.identityOverrides.join(own.identity, theirs.identity);
    const { fingerprint } = pulled.alert;
    return { ...received, reading: { ...reading, alert: { ...alert, fingerprint } } };
  }
  return received;
}

/** Whether a received alert is the one with these labels; a webhook may have added those of its route. */
export function hasLabels(
  { labels: received }: Pick<ReceivedAlert, 'labels'>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  const pairs = Object.entries(wanted);
  return pairs.every(([name, value]) => received[name] === value);
}

async function fires(context: Context): Promise<ReceivedOutcome> {
  const { tx, received, problem, options } = context;
  const now = options.clock.now();
  const open = context.open ?? (await issueOfAlias(context));
  const shown = await tx.receivedAlerts.firing(problem.identity);
  const isShown = shown !== null && !(await hadIssue(tx, shown));
  // A tool tells of all alerts of a group whenever one of them changes.
  if ((open !== null || isShown) && (await isNotifiedAgain(context))) {
    if (open !== null) await raiseSeverity(tx, open, problem);
    await firesAgain(context, now);
    await keep(tx, received, problem.identity, 'noted');
    return 'known';
  }
  if (open !== null) {
    // Its Slack app was first: from now on both count for one issue.
    if (open !== context.open && open.identity !== null) {
      await tx.identityOverrides.join(problem.identity, open.identity);
    }
    await countRepeat(tx, open, problem, now);
    await firesAgain(context, now);
    await keep(tx, received, open.identity, 'noted');
    return 'counted';
  }
  if (isShown) {
    await keep(tx, received, problem.identity, 'noted');
    return 'counted';
  }
  // The closed issue's message tells of an episode that is over.
  if (shown !== null) await tx.receivedAlerts.over(shown.id, now);
  return post(context, await recoveredBefore(context));
}

/** Requests the alert's own message, or keeps the alert until there is a route for it. */
async function post(context: Context, overAt: number | null): Promise<ReceivedOutcome> {
  const { tx, received, route, problem, settings, options } = context;
  const { id, at, reading } = received;
  if (route === null) {
    const before = await tx.receivedAlerts.since(problem.identity, 0);
    const waits = before.some(({ state, overAt: over }) => state === 'unrouted' && over === null);
    await keep(tx, received, problem.identity, waits ? 'noted' : 'unrouted', { overAt });
    return waits ? 'counted' : 'unrouted';
  }
  for (const { identity } of aliasesOf(reading, settings, options)) {
    if (identity !== problem.identity && (await isFree(tx, identity))) {
      await tx.identityOverrides.join(identity, problem.identity);
    }
  }
  const flood = await floodReason(context, route.channel);
  if (flood !== null) return holdUnposted(context, route.channel, flood, overAt);
  await keep(tx, received, problem.identity, 'posting', { channel: route.channel, overAt });
  const order = { urgent: problem.severity === 'high', minor: problem.severity === 'low' };
  await tx.outbox.want({ ...alertIntent(id, route.channel, options.clock.now(), at), ...order });
  received.delivery.own += 1;
  return 'posting';
}

/** Of a delivery that is too large, so many have messages of their own: the most severe, which come first. */
const FEW = 3;

/**
 * Why an alert gets no message of its own; `null` if it does. A delivery that exceeds the channel's room leaves some of it to
 * others, and a severe alert has room of its own: nothing waits behind a flood.
 */
async function floodReason(
  { tx, received, problem, settings, options }: Context,
  channel: string,
): Promise<'storm' | 'budget' | 'day' | null> {
  const { firing, own, mayHold } = received.delivery;
  if (!mayHold(channel)) return null;
  const undecided = (await tx.receivedAlerts.countUndecided(channel)) - own;
  const counts = await countsFor(tx, channel, settings, options);
  const [reason, left] = roomOf(counts, settings, options).reduce((least, one) =>
    one[1] < least[1] ? one : least,
  );
  const room = left - undecided;
  const total = room + (problem.severity === 'high' ? STORM : 0);
  return own < (firing <= total ? total : Math.min(FEW, total)) ? null : reason;
}

/** Holds an alert that has no message of its own, under the channel's message of what is held. It can be filed from there. */
async function holdUnposted(
  { tx, received, problem, settings, options }: Context,
  channel: string,
  reason: 'storm' | 'budget' | 'day',
  overAt: number | null,
): Promise<ReceivedOutcome> {
  const ts = await unpostedTs(tx, channel, received);
  const seen = seenOfMessage({ channel, ts, tool: received.tool }, received.reading.alert, null);
  if (seen === null) return 'ignored';
  const now = options.clock.now();
  const isOver = overAt !== null;
  const holdId = await hold(tx, seen, reason, now);
  const why = heldReason(reason, settings, options, isOver);
  await recordDecision(
    tx,
    seen,
    problem,
    { decision: 'held', reason: why, issueId: null, holdId, isOver },
    now,
  );
  await keep(tx, received, problem.identity, 'decided', { channel, ts, overAt });
  return 'held';
}

async function unpostedTs(tx: Aggregates, channel: string, { id, at }: Received): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const ts = tsWithoutMessage(at, `${id}/${attempt}`);
    if ((await tx.alerts.find(channel, ts)) === null) return ts;
  }
}

async function recovers(context: Context): Promise<ReceivedOutcome> {
  const { tx, received, problem, settings, options } = context;
  const now = options.clock.now();
  const counted = aliasesOf(received.reading, settings, options).filter(
    ({ identity }) => identity === problem.identity,
  );
  const isOver = counted.length === 0 || counted.some(({ alone }) => alone) || received.reading.groupResolved;
  const shown = await tx.receivedAlerts.firing(problem.identity);
  await keep(tx, received, problem.identity, 'noted', { overAt: now });
  for (const row of await tx.receivedAlerts.since(problem.identity, 0)) {
    if (row.state === 'unrouted') await tx.receivedAlerts.become(row.id, 'noted');
  }
  if (!isOver) return 'noted';
  if (shown !== null) {
    await tx.receivedAlerts.over(shown.id, now);
    await tx.outbox.again(alertKey(shown.id));
  }
  const open = context.open ?? (await issueOfAlias(context));
  if (open !== null) {
    await recover(tx, open, now);
    return 'recovered';
  }
  if (shown === null) return 'ignored';
  const seen = seenOfMessage(shown, received.reading.alert, null);
  if (seen !== null) {
    await endUnfiled(tx, await unfiledOf(tx, { ...seen, edited: true }, problem.identity, now));
  }
  return 'recovered';
}

async function isNoted({ tx, received, problem, open, options }: Context): Promise<ReceivedOutcome> {
  await keep(tx, received, problem.identity, 'noted');
  const { note } = received.reading;
  if (note === null || open === null) return 'ignored';
  await tx.issues.apply(
    open.id,
    transitions.note({ text: note, at: options.clock.now(), channel: open.channel }),
  );
  await tx.outbox.refreshCards(open.id);
  return 'noted';
}

/** The message of an alert that fires again, or has become more severe, says so. */
async function firesAgain({ tx, received, problem }: Context, now: number): Promise<void> {
  const [newest] = (await tx.receivedAlerts.since(problem.identity, 0)).filter(({ ts }) => ts !== null);
  const said = newest === undefined ? null : readReading(newest.reading);
  if (newest === undefined || said === null || newest.receivedAt > now) return;
  const { severity } = received.reading.alert;
  if (newest.overAt === null && said.alert.severity === severity) return;
  await tx.receivedAlerts.over(newest.id, null);
  await tx.receivedAlerts.revise(newest.id, JSON.stringify({ ...said, alert: { ...said.alert, severity } }));
  await tx.outbox.again(alertKey(newest.id));
}

/**
 * An issue under an identity with which the tool's own Slack app writes the alert, unless another alert has taken that. A
 * recovery does not find the issue of a group of which others still fire.
 */
async function issueOfAlias({ tx, received, settings, options }: Context): Promise<Issue | null> {
  const { alert, groupResolved } = received.reading;
  for (const { identity, alone } of aliasesOf(received.reading, settings, options)) {
    if (alert.kind === 'resolved' && !groupResolved && !alone) continue;
    if ((await tx.identityOverrides.resolve(identity, '')) !== identity) continue;
    const open = await tx.issues.openByIdentity(identity);
    if (open !== null) return open;
  }
  return null;
}

function aliasesOf(
  { aliases }: ReceivedAlert,
  settings: ChannelSettings,
  { defaultEnvironment }: ReceiveOptions,
): { identity: string; alone: boolean }[] {
  return aliases.map(({ fingerprint, environment, alone = false }) => ({
    identity: identityOf(fingerprint, environment?.trim() || settings.environment || defaultEnvironment),
    alone,
  }));
}

/** Whether a message became an issue that is not open any more; one that was held or ignored goes on saying so. */
async function hadIssue(tx: Aggregates, { channel, ts }: ReceivedAlertRow): Promise<boolean> {
  const id = channel === null || ts === null ? null : (await tx.alerts.find(channel, ts))?.issueId;
  return id != null && (await tx.issues.get(id))?.isOpen !== true;
}

/** Whether the tool's own Slack message counts for nothing that still fires: not for an issue, and not for a message of ours. */
async function isFree(tx: Aggregates, alias: string): Promise<boolean> {
  if ((await tx.issues.openByIdentity(alias)) !== null) return false;
  const target = await tx.identityOverrides.resolve(alias, '');
  if (target === alias) return true;
  return (
    (await tx.issues.openByIdentity(target)) === null && (await tx.receivedAlerts.firing(target)) === null
  );
}

/** Whether this firing, which a tool tells by when it began, has been received and has not recovered since. */
async function isNotifiedAgain({ tx, received, problem }: Context): Promise<boolean> {
  const { triggeredAt, fingerprint } = received.reading.alert;
  if (triggeredAt === null) return false;
  for (const row of await tx.receivedAlerts.since(problem.identity, 0)) {
    const earlier = readReading(row.reading)?.alert;
    if (earlier?.fingerprint !== fingerprint || earlier.kind === 'not_an_alert') continue;
    // The newest firing or recovery of this very alert decides.
    return earlier.kind === 'firing' && earlier.triggeredAt === triggeredAt && row.overAt === null;
  }
  return false;
}

/** When the recovery arrived that ends this very firing; `null` if it has not. */
async function recoveredBefore({ tx, received, problem }: Context): Promise<number | null> {
  const { triggeredAt } = received.reading.alert;
  if (triggeredAt === null) return null;
  for (const row of await tx.receivedAlerts.since(problem.identity, received.at - LATE_MS)) {
    const earlier = readReading(row.reading)?.alert;
    if (earlier?.kind === 'resolved' && earlier.triggeredAt === triggeredAt) return row.receivedAt;
  }
  return null;
}

async function keep(
  tx: Aggregates,
  { id, source, tool, reading, at }: Received,
  identity: string | null,
  state: ReceivedAlertRow['state'],
  more: Partial<Pick<ReceivedAlertRow, 'channel' | 'ts' | 'overAt'>> = {},
): Promise<void> {
  const { routing: _, ...stored } = reading;
  const row = { id, source, tool, identity, reading: JSON.stringify(stored), state, receivedAt: at };
  await tx.receivedAlerts.add({ ...row, ...more });
}
