import type { AlertRow } from '../store/alerts.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Plan } from '../store/flags.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import { type AlertIdentity, alertIdentity, endedBy } from './identity.ts';
import type { IssueCounts } from './limits.ts';
import { alertOf, type DecideOptions, type Occurrence, type Report } from './occurrence.ts';
import { planFor } from './planned.ts';
import {
  actedOnSince,
  hasFiredSince,
  type Looks,
  looksOf,
  recoveryBefore,
  type Unfiled,
  unfiledOf,
} from './recover.ts';
import { asPulled, factsOfReport, issueOfAlias, type ReportFacts, recoveredBefore } from './report-facts.ts';
import { countsFor, isStorming, type OfferedBefore, offeredBefore } from './throttle.ts';

/** Everything that the decision on one message is based on. */
export interface Facts {
  seen: Occurrence;
  settings: ChannelSettings;
  /** New issues in 24 hours across the workspace. */
  maxIssuesPerDay: number;
  now: number;
  /** Nothing may be filed from the channel until a member agrees. */
  needsConsent: boolean;
  /** The decision on the message before it was edited, or delivered again. */
  earlier: Earlier | null;
  /** `null` if repeats cannot be recognized. */
  identity: AlertIdentity | null;
  /** Of a recovery that may end several open alerts: how many; `null` if it does not matter. */
  asNear: number | null;
  /** When its recovery, which arrived before it, was decided; `null` if it is still firing. */
  recoveredAt: number | null;
  /** `null` for a message. */
  report: ReportFacts | null;
  /** What there is already about the same alert. */
  about: OpenIssue | Unfiled | NewAlert | { kind: 'nothing' };
}

/** What was decided before, and on what. */
type Earlier = Pick<AlertRow, 'decision' | 'issueId' | 'kind' | 'fingerprint'> & {
  severity: string | null;
};

/** The open issue that the message is about. */
export interface OpenIssue {
  kind: 'open';
  id: string;
  identity: string | null;
  /** The service has it. */
  isCreated: boolean;
  status: string;
  looks: Looks;
  /** What a recovery does, by the settings of the issue's channel. */
  onRecovery: ChannelSettings['onRecovery'];
  /** Somebody has set its status after the message was posted. */
  isSteered: boolean;
  /** It counts a firing that was posted after the message. */
  hasFiredSince: boolean;
}

/** Of an alert that fires and has no open issue. */
export interface NewAlert {
  kind: 'new';
  /** The held batch of this channel in which the same alert waits. */
  heldIn: string | null;
  paused: boolean;
  /** The planned work that it belongs to. */
  plan: Plan | null;
  /** The issue that it had last, if that was resolved. */
  resolved: ResolvedIssue | null;
  /** Suggestions, where the channel files nothing by itself. */
  offered: OfferedBefore;
  counts: IssueCounts;
  /** Alerts are being held in the channel right now. */
  isStorming: boolean;
}

export interface ResolvedIssue {
  id: string;
  at: number;
  looks: Looks;
  /** Somebody resolved it after the message was posted. */
  isSteered: boolean;
}

export type GatherOptions = DecideOptions & { needsConsent: boolean };

/** Reads what the decision on an occurrence is based on. Writes nothing. */
export async function gather(
  tx: Aggregates,
  seen: Occurrence,
  options: GatherOptions,
  recorded: AlertRow | null,
): Promise<Facts> {
  const now = options.clock.now();
  const { settings } = await tx.channels.get(seen.channel);
  const { maxIssuesPerDay } = options;
  if (seen.report !== undefined) return gatherReport(tx, seen, seen.report, { settings, options, now });
  const row = recorded !== null && isSupersededByEdit(recorded, seen) ? null : recorded;
  const root = seen.threadTs === null ? null : await tx.alerts.find(seen.channel, seen.threadTs);
  const stated = await alertIdentity(tx, seen.alert, settings, options.defaultEnvironment);
  const ofMessage = await ofItsMessage(tx, seen, { row, root }, stated);
  const ending = ofMessage === null ? null : await endedBy(tx, seen, ofMessage);
  const identity = ending?.identity ?? null;
  const open = mayConcernIssue(seen) ? await openIssueOf(tx, seen, { row, root }, identity) : null;
  const fires = seen.alert.kind === 'firing' && identity !== null;
  const recovery = fires ? await recoveryBefore(tx, seen, identity.identity, now) : null;
  return {
    seen,
    settings,
    maxIssuesPerDay,
    now,
    needsConsent: options.needsConsent,
    earlier: row === null ? null : { ...row, severity: alertOf(row).severity },
    identity,
    asNear: ending?.asNear ?? null,
    recoveredAt: recovery?.decidedAt ?? null,
    report: null,
    about: await aboutOf(tx, seen, { open, identity, settings, options, now }),
  };
}

async function gatherReport(
  tx: Aggregates,
  delivered: Occurrence,
  received: Report,
  { settings, options, now }: { settings: ChannelSettings; options: GatherOptions; now: number },
): Promise<Facts> {
  const { maxIssuesPerDay, defaultEnvironment } = options;
  const pulled = await asPulled(tx, received, settings, defaultEnvironment);
  const { reading } = pulled.report;
  const { alert } = reading;
  const seen = { ...delivered, alert, report: pulled.report };
  const stated = await alertIdentity(tx, alert, settings, defaultEnvironment);
  const ending = stated === null ? null : await endedBy(tx, seen, stated);
  const { identity = null, asNear = null } = ending ?? {};
  const known = asNear === null ? (identity?.identity ?? null) : null;
  const report = await factsOfReport(tx, pulled, known, settings, defaultEnvironment);
  const open =
    known === null ? null : ((await tx.issues.openByIdentity(known)) ?? issueOfAlias(report, reading));
  const fires = alert.kind === 'firing';
  const isShown = fires && report.shown?.hadIssue === false;
  const isNothing = known === null || (open === null && (received.channel === null || isShown));
  return {
    seen,
    settings,
    maxIssuesPerDay,
    now,
    needsConsent: fires && options.needsConsent,
    earlier: null,
    identity,
    asNear,
    recoveredAt: recoveredBefore(pulled.report, report),
    report,
    about: isNothing
      ? { kind: 'nothing' }
      : await aboutOf(tx, seen, { open, identity, settings, options, now }),
  };
}

/** What people write, and what is no alert and notes nothing, is of no issue. */
function mayConcernIssue({ alert, note, byPerson }: Occurrence): boolean {
  return alert.kind !== 'not_an_alert' || (note !== null && !byPerson);
}

/** The decisions on the message itself, and on the root of its thread. */
interface Place {
  row: AlertRow | null;
  root: AlertRow | null;
}

async function aboutOf(
  tx: Aggregates,
  seen: Occurrence,
  {
    open,
    identity,
    settings,
    options,
    now,
  }: {
    open: Issue | null;
    identity: AlertIdentity | null;
    settings: ChannelSettings;
    options: DecideOptions;
    now: number;
  },
): Promise<Facts['about']> {
  if (open !== null) return openFacts(tx, seen, open, now);
  if (identity === null || seen.alert.kind === 'not_an_alert') return { kind: 'nothing' };
  if (seen.alert.kind === 'resolved')
    return unfiledOf(tx, { ...seen, edited: isUndated(seen) }, identity.identity, now);
  const { channel } = seen;
  const [held] = await tx.alerts.held(identity.identity, channel);
  return {
    kind: 'new',
    heldIn: held?.holdId ?? null,
    paused: (await tx.flags.paused()) !== null,
    plan: await planFor(tx, seen, identity.environment, now),
    resolved: await resolvedIssueOf(tx, seen, identity.identity, now),
    offered: await offeredBefore(tx, channel, identity.identity, settings, now),
    counts: await countsFor(tx, channel, settings, options),
    isStorming: await isStorming(tx, channel, now),
  };
}

async function openFacts(tx: Aggregates, seen: Occurrence, open: Issue, now: number): Promise<OpenIssue> {
  const { settings } = await tx.channels.get(open.channel);
  const isRecovery = seen.alert.kind === 'resolved' && !isUndated(seen);
  return {
    kind: 'open',
    id: open.id,
    identity: open.identity,
    isCreated: open.state === 'created',
    status: open.status,
    looks: await looksOf(tx, open, settings, now),
    onRecovery: settings.onRecovery,
    isSteered: isRecovery && (await actedOnSince(tx, open, seen.ts)) !== null,
    hasFiredSince: isRecovery && (await hasFiredSince(tx, seen, open)),
  };
}

/**
 * Whether a recovery's `ts` does not compare with those of messages: an edit has its message's, and a report's is older than
 * the message of the alert that it ends.
 */
function isUndated({ edited, report }: Occurrence): boolean {
  return edited || report !== undefined;
}

async function resolvedIssueOf(
  tx: Aggregates,
  seen: Occurrence,
  identity: string,
  now: number,
): Promise<ResolvedIssue | null> {
  const last = await tx.issues.lastClosed(identity);
  if (last?.status !== 'resolved' || last.joinedInto !== null) return null;
  const { settings } = await tx.channels.get(last.channel);
  return {
    id: last.id,
    at: last.statusSince,
    looks: await looksOf(tx, last, settings, now),
    isSteered: !seen.edited && (await actedOnSince(tx, last, seen.ts)) !== null,
  };
}

/** Tools that keep a message for a group of alerts, whose common labels change as the group does. */
const GROUPING = new Set(['alertmanager', 'grafana']);

/**
 * A tool's edit of its message, and its reply below it, are about the alert of that message, also where its group has
 * grown or shrunk and has other labels now.
 */
async function ofItsMessage(
  tx: Aggregates,
  seen: Occurrence,
  { row, root }: Place,
  identity: AlertIdentity | null,
): Promise<AlertIdentity | null> {
  if (identity === null || seen.byPerson) return identity;
  const place = seen.edited ? row : root;
  if (place?.identity == null || place.format !== seen.alert.format) return identity;
  if (!isOfGroup(place, seen) && !namesTheSame(place, seen)) return identity;
  // A reply may be about another alert, which has its own issue.
  if (!seen.edited && (await tx.issues.openByIdentity(identity.identity)) !== null) return identity;
  return { ...identity, identity: place.identity };
}

/** Whether both lead to the same page of such a tool. */
function isOfGroup(place: AlertRow, { alert }: Occurrence): boolean {
  return GROUPING.has(place.format) && alert.alertUrl !== null && alertOf(place).alertUrl === alert.alertUrl;
}

/** Whether an edit ends what its message reported, or a reply has its title. */
function namesTheSame(place: AlertRow, { alert, edited }: Occurrence): boolean {
  if (edited) return alert.kind === 'resolved';
  const title = alertOf(place).title?.toLowerCase() ?? '';
  return title !== '' && (alert.title ?? '').toLowerCase().includes(title);
}

/**
 * The open issue that a message is about. If people split alerts of one fingerprint, the edited message or the thread's
 * root shows better than the text which issue is meant.
 */
async function openIssueOf(
  tx: Aggregates,
  { alert, byPerson }: Occurrence,
  { row, root }: Place,
  identity: AlertIdentity | null,
): Promise<Issue | null> {
  const place = row ?? root;
  if (place?.fingerprint != null && place.fingerprint === alert.fingerprint) {
    const issue = await openIssue(tx, place.issueId);
    if (issue !== null) return issue;
  }
  const known = identity === null ? null : await tx.issues.openByIdentity(identity.identity);
  if (known !== null) return known;
  // A tool's status line in the thread of its own alert belongs to that alert's issue.
  if (byPerson || root === null || root.format !== alert.format) return null;
  return openIssue(tx, root.issueId);
}

async function openIssue(tx: Aggregates, id: string | null): Promise<Issue | null> {
  const issue = id === null ? null : await tx.issues.get(id);
  return issue?.isOpen === true ? issue : null;
}

/**
 * Whether an alert arrives after its own edit, which shows its recovery or a note; the alert itself is not decided yet.
 */
function isSupersededByEdit(earlier: AlertRow, { edited, alert }: Occurrence): boolean {
  if (edited || alert.kind !== 'firing' || earlier.holdId !== null) return false;
  return (
    earlier.kind === 'not_an_alert' || (earlier.kind === 'resolved' && earlier.reason === 'no_open_issue')
  );
}
