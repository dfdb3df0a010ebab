import type { Alert } from '../alerts/types.ts';
import type { AlertRow, Decision } from '../store/alerts.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import { heldKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import {
  alertOf,
  type ChannelMessage,
  type ConsentOptions,
  type DecideOptions,
  type DecisionResult,
} from './channel-message.ts';
import { fileAlert, raiseSeverity, repeat } from './file.ts';
import { type AlertIdentity, alertIdentity } from './identity.ts';
import { endedBy } from './nearest.ts';
import {
  CAME_LATE,
  comeBack,
  isOutOfOrder,
  isSupersededByEdit,
  recover,
  recoverAfterAll,
  recoverUnfiled,
  recoveryBefore,
} from './recover.ts';
import {
  ignored,
  NEEDS_CONSENT,
  NEW_ALERT,
  NO_PROBLEM,
  PERSONS_RECOVERY,
  refused,
  tooMild,
} from './rules.ts';
import { hold, isStorming, suggest, throttleReason } from './throttle.ts';

/**
 * Decides the outcome for a message, and stores the decision, its reason, the issue and the intents in one transaction
 *. Handling a message twice changes nothing.
 */
export async function considerMessage(
  seen: ChannelMessage,
  options: DecideOptions & ConsentOptions & { store: Store },
): Promise<DecisionResult> {
  if (await options.needsConsent(seen.channel)) return ignored(NEEDS_CONSENT);
  return options.store.transaction((tx) => consider(tx, seen, options));
}

async function consider(
  tx: Aggregates,
  seen: ChannelMessage,
  options: DecideOptions,
): Promise<DecisionResult> {
  await tx.channels.seen(seen.channel, seen.ts);
  const recorded = await tx.alerts.find(seen.channel, seen.ts);
  const earlier = recorded !== null && isSupersededByEdit(recorded, seen) ? null : recorded;
  const { settings } = await tx.channels.get(seen.channel);
  // Not recorded: if it overtook the message itself, that one is still to be decided.
  if (seen.edited && seen.alert.kind === 'not_an_alert' && seen.note === null) {
    return { decision: 'ignored', reason: 'an edit that reports nothing new', issueId: null };
  }
  if (earlier && (!seen.edited || saysTheSame(earlier, seen.alert))) {
    return { decision: 'ignored', reason: 'this message was decided before', issueId: earlier.issueId };
  }
  const stated = await alertIdentity(tx, seen.alert, settings, options.defaultEnvironment);
  const ofMessage = await ofItsMessage(tx, seen, earlier, stated);
  const ending = ofMessage === null ? null : await endedBy(tx, seen, ofMessage);
  const problem = ending?.problem ?? null;
  const decided =
    ending?.why != null
      ? ignored(ending.why)
      : await decide({ tx, seen, problem, settings, earlier, options });
  // The original decision stays on record; an acknowledgement is only noted.
  const onlyNoted = earlier !== null && decided.decision === 'not_an_alert';
  if (!onlyNoted) await recordDecision(tx, seen, problem, decided, options.clock.now());
  return decided;
}

/** Tools that keep a message for a group of alerts, whose common labels change as the group does. */
const GROUPING = new Set(['alertmanager', 'grafana']);

/**
 * A tool's edit of its message, and its reply below it, are about the alert of that message, also where its group has
 * grown or shrunk and has other labels now.
 */
async function ofItsMessage(
  tx: Aggregates,
  seen: ChannelMessage,
  earlier: AlertRow | null,
  problem: AlertIdentity | null,
): Promise<AlertIdentity | null> {
  if (problem === null || seen.byPerson) return problem;
  const root = seen.threadTs === null ? null : await tx.alerts.find(seen.channel, seen.threadTs);
  const place = seen.edited ? earlier : root;
  if (place?.identity == null || place.format !== seen.alert.format) return problem;
  if (!isOfGroup(place, seen) && !namesTheSame(place, seen)) return problem;
  // A reply may tell of another alert, which has its own issue.
  if (!seen.edited && (await tx.issues.openByIdentity(problem.identity)) !== null) return problem;
  return { ...problem, identity: place.identity };
}

/** Whether both lead to the same page of such a tool. */
function isOfGroup(place: AlertRow, { alert }: ChannelMessage): boolean {
  return GROUPING.has(place.format) && alert.alertUrl !== null && alertOf(place).alertUrl === alert.alertUrl;
}

/** Whether an edit ends what its message told, or a reply has its title. */
function namesTheSame(place: AlertRow, { alert, edited }: ChannelMessage): boolean {
  if (edited) return alert.kind === 'resolved';
  const title = alertOf(place).title?.toLowerCase() ?? '';
  return title !== '' && (alert.title ?? '').toLowerCase().includes(title);
}

/** Stores a decision. A message that is or was in a held batch stays in it, with its outcome. */
export async function recordDecision(
  tx: Aggregates,
  seen: ChannelMessage,
  problem: AlertIdentity | null,
  decided: DecisionResult,
  now: number,
): Promise<void> {
  const earlier = await tx.alerts.find(seen.channel, seen.ts);
  const holdId = decided.holdId ?? earlier?.holdId ?? null;
  await tx.alerts.record({
    channel: seen.channel,
    ts: seen.ts,
    decision: decided.decision,
    reason: decided.reason,
    kind: seen.alert.kind,
    format: seen.alert.format,
    fingerprint: seen.alert.fingerprint,
    issueId: decided.issueId,
    alert: JSON.stringify(seen.alert),
    decidedAt: now,
    identity: problem?.identity ?? null,
    detail: problem?.detail ?? null,
    threadTs: seen.threadTs,
    sender: seen.sender,
    holdId: holdId,
    outcome: holdId === null ? null : decided.isOver === true ? 'recovered' : outcomes[decided.decision],
  });
  if (earlier?.holdId != null) await tx.outbox.again(heldKey(earlier.holdId));
}

const outcomes: Record<Decision, AlertRow['outcome']> = {
  filed: 'filed',
  repeat: 'joined',
  recovered: 'recovered',
  held: null,
  ignored: 'dismissed',
  not_an_alert: 'dismissed',
};

/** An edit such as a link preview does not change what the message reports. */
function saysTheSame(earlier: AlertRow, { kind, fingerprint, severity }: Alert): boolean {
  return (
    earlier.kind === kind && earlier.fingerprint === fingerprint && alertOf(earlier).severity === severity
  );
}

const OVER = 'it had already recovered when it arrived';

/** Everything that a decision is based on. */
interface DecisionInput {
  tx: Aggregates;
  seen: ChannelMessage;
  problem: AlertIdentity | null;
  settings: ChannelSettings;
  /** The decision on the message before it was edited. */
  earlier: AlertRow | null;
  options: DecideOptions;
}

/** Decides the outcome for a message: the rules, in order. */
async function decide(what: DecisionInput): Promise<DecisionResult> {
  const { tx, seen, problem, settings, options } = what;
  const { alert } = seen;
  const now = options.clock.now();
  if (alert.kind === 'not_an_alert' || problem === null) return noted(what);
  const open = await openIssueOf(what);
  if (alert.kind === 'resolved') {
    if (seen.byPerson) return ignored(PERSONS_RECOVERY);
    if (!open) return recoverUnfiled(tx, seen, problem.identity, now);
    if (await isOutOfOrder(tx, seen, open)) return ignored(CAME_LATE);
    return recover(tx, open, now, seen.edited ? null : seen.ts);
  }
  const refusal = refused(seen, settings);
  if (refusal !== null) return refusal;
  const recovery = await recoveryBefore(tx, seen, problem.identity, now);
  if (open) {
    const decided = await again(what, open, now);
    if (recovery) await recoverAfterAll(tx, open.id, recovery.decidedAt);
    return decided;
  }
  const mild = tooMild(problem, settings);
  if (mild !== null) return mild;
  return recovery ? fireOver(what, problem, recovery, now) : fire(what, problem, false, now);
}

/** Acknowledgements, downtimes and updates are not alerts, but are noted on the issue's card. */
async function noted(what: DecisionInput): Promise<DecisionResult> {
  const { tx, seen, earlier, options } = what;
  if (seen.byPerson || seen.note === null) {
    return { decision: 'not_an_alert', reason: NO_PROBLEM, issueId: earlier?.issueId ?? null };
  }
  const open = await openIssueOf(what);
  if (!open) return { decision: 'not_an_alert', reason: NO_PROBLEM, issueId: earlier?.issueId ?? null };
  const note = { text: seen.note, at: options.clock.now(), channel: seen.channel };
  await tx.issues.apply(open.id, transitions.note(note));
  await tx.outbox.refreshCards(open.id);
  return {
    decision: 'not_an_alert',
    reason: 'an update of an alert; noted on its card',
    issueId: open.id,
  };
}

/** The open issue that a message is about. */
async function openIssueOf({ tx, seen, problem, earlier }: DecisionInput): Promise<Issue | null> {
  // If people split alerts of one fingerprint, the edited message or the thread's root tells which issue is meant
  // better than the text does.
  const root = seen.threadTs === null ? null : await tx.alerts.find(seen.channel, seen.threadTs);
  const place = earlier ?? root;
  if (place?.issueId != null && place.fingerprint !== null && place.fingerprint === seen.alert.fingerprint) {
    const issue = await tx.issues.get(place.issueId);
    if (issue?.isOpen === true) return issue;
  }
  const known = problem === null ? null : await tx.issues.openByIdentity(problem.identity);
  return known ?? issueOfThread(tx, seen);
}

/** A tool's status line in the thread of its own alert belongs to that alert's issue. */
async function issueOfThread(
  tx: Aggregates,
  { channel, threadTs, alert, byPerson }: ChannelMessage,
): Promise<Issue | null> {
  if (threadTs === null || byPerson) return null;
  const root = await tx.alerts.find(channel, threadTs);
  if (root?.issueId == null || root.format !== alert.format) return null;
  const issue = await tx.issues.get(root.issueId);
  return issue?.isOpen === true ? issue : null;
}

async function again(
  { tx, seen, problem, earlier }: DecisionInput,
  open: Issue,
  now: number,
): Promise<DecisionResult> {
  // The message that showed the recovery shows the alert again: it fires again.
  if (earlier === null || earlier.issueId !== open.id || open.recoveredAt !== null) {
    return repeat(tx, seen, problem, open, now);
  }
  await raiseSeverity(tx, open, problem);
  const decision = earlier.decision === 'repeat' ? 'repeat' : 'filed';
  return { decision, reason: 'an edit of a message that belongs to its issue', issueId: open.id };
}

async function fire(
  what: DecisionInput,
  problem: AlertIdentity,
  isOver: boolean,
  now: number,
): Promise<DecisionResult> {
  const { tx, seen, settings, options } = what;
  const [waiting] = await tx.alerts.waiting(problem.identity, seen.channel);
  if (waiting?.holdId != null) return heldAgain(tx, waiting.holdId, now);
  if ((await tx.flags.paused()) !== null) return hold(tx, seen, 'paused', settings, options);
  const returned = await comeBack(tx, seen, problem, now);
  if (returned) return returned;
  if (settings.mode === 'suggest') {
    // A button to file something that is over would only have to be removed again.
    if (isOver) return ignored(`the channel is in suggest mode, and ${OVER}`);
    const suggested = await suggest(tx, seen, problem, settings, now);
    return suggested ?? hold(tx, seen, 'storm', settings, options);
  }
  const flood = await throttleReason(tx, seen.channel, settings, options);
  if (flood !== null) return hold(tx, seen, flood, settings, options);
  const issueId = await fileAlert(
    tx,
    {
      ...seen,
      problem,
      requestedBy: null,
      eyes: !(await isStorming(tx, seen.channel, now)),
      // After an edit, the message may cause a second issue if the first has been resolved; that needs another id.
      ...(seen.edited ? { again: String(now) } : {}),
    },
    settings,
    options,
  );
  const { isContradicted, isNameless } = seen.alert;
  const text = [...(isContradicted ? [CONTRADICTED] : []), ...(isNameless ? [NAMELESS] : [])].join(' ');
  if (text !== '') {
    await tx.issues.apply(issueId, transitions.note({ text, at: now, channel: seen.channel }));
  }
  return { decision: 'filed', reason: NEW_ALERT, issueId };
}

const CONTRADICTED =
  'Its message contradicts itself: it says both that it fires and that it is over. It is read as firing.';
const NAMELESS =
  'Its message names no object, so all like it in this channel are this issue. Add the labels to its template (docs/formats.md).';

/** Handles an alert whose recovery arrived first: it ends as if they had arrived in order. */
async function fireOver(
  what: DecisionInput,
  problem: AlertIdentity,
  recovery: AlertRow,
  now: number,
): Promise<DecisionResult> {
  const decided = await fire(what, problem, true, now);
  if (decided.decision === 'held') return { ...decided, reason: `${decided.reason}; ${OVER}`, isOver: true };
  await recoverAfterAll(what.tx, decided.issueId, recovery.decidedAt);
  return decided;
}

async function heldAgain(tx: Aggregates, holdId: string, now: number): Promise<DecisionResult> {
  await tx.holds.grow(holdId, now);
  await tx.outbox.again(heldKey(holdId));
  return { decision: 'held', reason: 'held: the same alert is already on hold', issueId: null, holdId };
}
