import type { AlertRow, Decision } from '../store/alerts.ts';
import type { Hold } from '../store/holds.ts';
import { alertIntent } from '../store/intents/channel-intents.ts';
import { suggestionIntent } from '../store/intents/issue-intents.ts';
import { alertKey, heldKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { storedReason } from '../store/reasons.ts';
import { decide } from './decide.ts';
import { type Facts, gather } from './facts.ts';
import { countRepeat, fileAlert, raiseSeverity, wantShortCard } from './file.ts';
import type { AlertIdentity } from './identity.ts';
import { learnedFrom, learnedReport } from './learned.ts';
import {
  type ConsentOptions,
  type DecideOptions,
  type DecisionResult,
  hasMessage,
  nextTs,
  type Occurrence,
  type Report,
  tsOfReport,
  tsWithoutMessage,
} from './occurrence.ts';
import type { Action, Effect, Outcome, ReceivedOutcome } from './outcome.ts';
import { takeOver } from './place.ts';
import { holdForPlan } from './planned.ts';
import { endUnfiled, lookAnew, markRecovered, recover, reopen } from './recover.ts';
import { sign } from './sign.ts';
import { growHold, hold, suggestAgain } from './throttle.ts';

/**
 * Decides the outcome for a message, and stores the decision, its reason, the issue and the intents in one transaction.
 * Handling a message twice changes nothing.
 */
export async function considerMessage(
  arrived: Occurrence,
  options: DecideOptions & ConsentOptions & { store: Pick<Store, 'transaction'> },
): Promise<DecisionResult> {
  const needsConsent = await options.needsConsent(arrived.channel);
  return options.store.transaction(async (tx) => {
    const seen = needsConsent ? arrived : await learnedFrom(tx, arrived, options);
    if (!needsConsent) await tx.channels.seen(seen.channel, seen.ts);
    const recorded = await tx.alerts.find(seen.channel, seen.ts);
    const facts = await gather(tx, seen, { ...options, needsConsent }, recorded);
    return carryOut(tx, decide(facts), { facts, recorded, options });
  });
}

/** What became of a report, and what was decided; `null` where nothing was recorded, because it has no part of its own. */
interface Considered {
  outcome: ReceivedOutcome;
  decided: DecisionResult | null;
}

/**
 * The same for a report: it comes to its issue, or gets a message of its own, whose thread has its card once it is posted.
 * Receiving one twice changes nothing.
 *
 * @param tool what people call what sent it
 */
export async function considerReport(
  tx: Aggregates,
  report: Report,
  tool: string,
  options: DecideOptions,
): Promise<Considered> {
  const { id, source, reading, at, channel, delivery } = report;
  if ((await tx.receivedAlerts.get(id)) !== null) return { outcome: 'known', decided: null };
  const needsConsent = channel !== null && !delivery.hasConsent(channel);
  const place = { channel: channel ?? '', ts: tsOfReport(at, id) };
  const arrived = { ...seenOfReport({ ...place, tool }, reading), report };
  const seen = needsConsent ? arrived : await learnedReport(tx, arrived, options);
  const facts = await gather(tx, seen, { ...options, needsConsent }, null);
  const decided = decide(facts);
  const { receipt, isRecorded } = decided;
  if (receipt === null) return { outcome: 'ignored', decided: null };
  const isHeld = receipt.outcome === 'held';
  const ts = receipt.isPosted || isHeld ? await freeTs(tx, place, isHeld) : null;
  const { routing: _, ...kept } = facts.seen.report?.reading ?? reading;
  const { state, identity, overAt } = receipt;
  const stored = { reading: JSON.stringify(kept), receivedAt: at, state, identity, overAt };
  await tx.receivedAlerts.add({ id, source, tool, ...stored, ...(ts === null ? {} : { channel, ts }) });
  for (const effect of receipt.effects) await change(tx, effect, facts.now);
  if (receipt.isPosted) {
    const { severity } = facts.identity ?? {};
    const order = { urgent: severity === 'high', minor: severity === 'low' };
    await tx.outbox.want({ ...alertIntent(id, place.channel, facts.now, at), ...order });
    delivery.own += 1;
  }
  const placed = { ...facts, seen: { ...facts.seen, ts: ts ?? place.ts } };
  const done = await carryOut(tx, decided, { facts: placed, recorded: null, options });
  return { outcome: receipt.outcome, decided: isRecorded ? done : null };
}

/** A report, as a message of the channel that it is shown in. */
export function seenOfReport(
  { channel, ts, tool }: { channel: string; ts: string; tool: string },
  { alert, note }: Pick<Report['reading'], 'alert' | 'note'>,
): Occurrence {
  const place = { channel, ts, threadTs: null, permalink: null };
  return { ...place, alert, sender: tool, byPerson: false, edited: false, note };
}

/** The first from this one on under which nothing is recorded. */
async function freeTs(
  tx: Aggregates,
  { channel, ts }: { channel: string; ts: string },
  isHeld: boolean,
): Promise<string> {
  for (let free = ts; ; free = nextTs(free)) {
    const one = isHeld ? tsWithoutMessage(free) : free;
    if ((await tx.alerts.find(channel, one)) === null) return one;
  }
}

async function change(tx: Aggregates, effect: Effect, now: number): Promise<void> {
  switch (effect.kind) {
    case 'join':
      return tx.identityOverrides.join(effect.identity, effect.target);
    case 'over':
      await tx.receivedAlerts.over(effect.id, now);
      if (effect.refresh) await tx.outbox.again(alertKey(effect.id));
      return;
    case 'fires_again':
      await tx.receivedAlerts.over(effect.id, null);
      await tx.receivedAlerts.revise(effect.id, JSON.stringify(effect.reading));
      return tx.outbox.again(alertKey(effect.id));
    case 'settle':
      return tx.receivedAlerts.become(effect.id, 'noted');
  }
}

interface Work {
  facts: Facts;
  /** The decision on the same message before. */
  recorded: AlertRow | null;
  options: DecideOptions;
}

/** Carries out what was decided: the issue and the intents, the record, and what shows on the message. */
async function carryOut(
  tx: Aggregates,
  { decision, reason, issueId, action, recoveredAt, isRecorded, offerToAuthor }: Outcome,
  { facts, recorded, options }: Work,
): Promise<DecisionResult> {
  const { seen } = facts;
  const hasTaken = await takeOver(tx, seen, issueId, facts.now);
  const { hasCard, ...done } = await act(tx, action, { facts, issueId, options });
  const issue = recoveredAt === null ? null : await issueOf(tx, done.issueId);
  if (recoveredAt !== null && issue !== null) await recover(tx, issue, recoveredAt);
  const isOver = decision === 'held' && recoveredAt !== null;
  const decided: DecisionResult = {
    ...(hasTaken ? { decision: 'filed', reason: 'new_alert' } : { decision, reason }),
    ...done,
    ...(isOver ? { isOver } : {}),
    ...(offerToAuthor ? { offerToAuthor } : {}),
  };
  if (isRecorded) await record(tx, seen, facts.identity, decided, facts.now, recorded);
  await sign(tx, seen, decided, { hasCard, now: facts.now });
  return decided;
}

/** The issue and the held batch that a message belongs to now, and whether its thread gets a card. */
type Done = Pick<DecisionResult, 'issueId' | 'holdId'> & { hasCard: boolean };

async function act(
  tx: Aggregates,
  action: Action,
  { facts, issueId, options }: Omit<Work, 'recorded'> & { issueId: string | null },
): Promise<Done> {
  const { seen, now } = facts;
  switch (action.kind) {
    case 'hold':
      return { issueId, holdId: await holdFor(tx, action.by, facts), hasCard: false };
    case 'join_hold':
      await growHold(tx, action.holdId, now);
      return { issueId, holdId: action.holdId, hasCard: false };
    case 'file':
      return { issueId: await file(tx, action.eyes, facts, options), hasCard: true };
    case 'suggest':
      if (hasMessage(seen.ts)) await tx.outbox.want(suggestionIntent(seen, now));
      return { issueId, hasCard: true };
    case 'suggest_again':
      await suggestAgain(tx, action.row, { channel: seen.channel, ts: action.ts });
      return { issueId, hasCard: false };
    case 'end_unfiled':
      await endUnfiled(tx, action.unfiled);
      return { issueId, hasCard: false };
    case 'none':
      return { issueId, hasCard: false };
  }
  const issue = await issueOf(tx, issueId);
  return { issueId, hasCard: issue !== null && (await changeIssue(tx, action, issue, facts)) };
}

async function holdFor(tx: Aggregates, by: Hold['reason'], { seen, about, now }: Facts): Promise<string> {
  const plan = about.kind === 'new' ? about.plan : null;
  return by === 'planned' && plan !== null
    ? holdForPlan(tx, plan, seen.channel, now)
    : hold(tx, seen, by, now);
}

async function issueOf(tx: Aggregates, id: string | null): Promise<Issue | null> {
  return id === null ? null : tx.issues.get(id);
}

type Change = Extract<Action, { kind: 'note' | 'count' | 'escalate' | 'recover' | 'reopen' | 'look_anew' }>;

/** Returns whether the message's thread gets a short card. */
async function changeIssue(
  tx: Aggregates,
  action: Change,
  issue: Issue,
  { seen, identity, now }: Facts,
): Promise<boolean> {
  switch (action.kind) {
    case 'note':
      await tx.issues.apply(
        issue.id,
        transitions.note({ text: action.text, at: now, channel: seen.channel }),
      );
      await tx.outbox.refreshCards(issue.id);
      return false;
    case 'escalate':
      await raiseSeverity(tx, issue, identity);
      return false;
    case 'recover':
      await markRecovered(tx, issue, action.resolves, now);
      return false;
    case 'count':
      await countRepeat(tx, issue, identity, now);
      return wantShortCard(tx, seen, issue, now);
    case 'reopen':
      await reopen(tx, issue, identity, now);
      return wantShortCard(tx, seen, issue, now);
    case 'look_anew':
      await lookAnew(tx, issue, identity, now);
      return wantShortCard(tx, seen, issue, now);
  }
}

async function file(
  tx: Aggregates,
  eyes: boolean,
  { seen, identity, settings, now }: Facts,
  options: DecideOptions,
): Promise<string> {
  // After an edit, the message may cause a second issue if the first has been resolved; that needs another id.
  const again = seen.edited ? { again: String(now) } : {};
  const message = { ...seen, problem: identity, requestedBy: null, eyes, ...again };
  const issueId = await fileAlert(tx, message, settings, options);
  const { isContradicted, isNameless } = seen.alert;
  const text = [...(isContradicted ? [CONTRADICTED] : []), ...(isNameless ? [NAMELESS] : [])].join(' ');
  if (text !== '') {
    await tx.issues.apply(issueId, transitions.note({ text, at: now, channel: seen.channel }));
  }
  return issueId;
}

const CONTRADICTED =
  'Its message contradicts itself: it says both that it fires and that it is over. I read it as firing.';
const NAMELESS =
  'Its message does not say what it is about, so all alerts like it in this channel count toward this issue. Add the labels to its template (docs/formats.md).';

/** Stores a decision. A message that is or was in a held batch stays in it, with its outcome. */
export async function recordDecision(
  tx: Aggregates,
  seen: Occurrence,
  identity: AlertIdentity | null,
  decided: DecisionResult,
  now: number,
): Promise<void> {
  await record(tx, seen, identity, decided, now, await tx.alerts.find(seen.channel, seen.ts));
}

async function record(
  tx: Aggregates,
  seen: Occurrence,
  identity: AlertIdentity | null,
  decided: DecisionResult,
  now: number,
  earlier: AlertRow | null,
): Promise<void> {
  const holdId = decided.holdId ?? earlier?.holdId ?? null;
  await tx.alerts.record({
    channel: seen.channel,
    ts: seen.ts,
    decision: decided.decision,
    reason: storedReason(decided.reason),
    kind: seen.alert.kind,
    format: seen.alert.format,
    fingerprint: seen.alert.fingerprint,
    issueId: decided.issueId,
    alert: JSON.stringify(seen.alert),
    decidedAt: now,
    identity: identity?.identity ?? null,
    detail: identity?.detail ?? null,
    threadTs: seen.threadTs,
    sender: seen.sender,
    holdId,
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
