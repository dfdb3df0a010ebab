import type { Alert } from '../alerts/types.ts';
import { patternVerdicts, type RuleOptions, rulesOf } from '../settings/patterns/rules.ts';
import type { AlertRow, Decision } from '../store/alerts.ts';
import { heldKey } from '../store/intents/keys.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { type AlertIdentity, alertIdentity } from './alert-identity.ts';
import type { ChannelMessage, ConsentOptions, DecideOptions, DecisionResult } from './channel-message.ts';
import { decide } from './decide.ts';
import { isSupersededByEdit } from './out-of-order.ts';
import { alertOf } from './stored-alert.ts';

const NEEDS_CONSENT =
  'this private channel is not watched: no member has agreed that its issues may be named in answers elsewhere';

/**
 * Decides the outcome for a message, and stores the decision, its reason, the issue and the intents in one transaction
 * (DESIGN section 4, *Filing*). Handling a message twice changes nothing.
 */
export async function considerMessage(
  seen: ChannelMessage,
  options: DecideOptions & ConsentOptions & RuleOptions & { store: Store },
): Promise<DecisionResult> {
  if (await options.needsConsent(seen.channel)) {
    return { decision: 'ignored', reason: NEEDS_CONSENT, issueId: null };
  }
  while (true) {
    const [verdict] = await patternVerdicts(seen.channel, [seen], options);
    const decided = await options.store.transaction(async (tx) => {
      // The patterns have been changed in the meantime: match again.
      if (verdict?.rules !== rulesOf(await tx.channels.get(seen.channel))) return null;
      return considerIn(tx, seen, verdict.against, options);
    });
    if (decided !== null) return decided;
  }
}

/**
 * Decides within a transaction, which a dry run rolls back.
 *
 * @param against the rule of the channel's patterns that excludes the alert, as a sentence; `null` if none does
 */
export async function considerIn(
  tx: Aggregates,
  seen: ChannelMessage,
  against: string | null,
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
  const problem = await alertIdentity(tx, seen.alert, settings, options.defaultEnvironment);
  const decided = await decide({ tx, seen, problem, settings, against, earlier, options });
  // The original decision stays on record; an acknowledgement is only noted.
  const onlyNoted = earlier !== null && decided.decision === 'not_an_alert';
  if (!onlyNoted) await recordDecision(tx, seen, problem, decided, options.clock.now());
  return decided;
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
