import type { Alert } from '../alerts/types.ts';
import { patternVerdicts, type RuleOptions } from '../settings/patterns/rules.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { Hold } from '../store/holds.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import { alertOf, type ChannelMessage, type DecideOptions, type DecisionResult } from './channel-message.ts';
import { considerIn } from './decide.ts';
import { alertIdentity } from './identity.ts';
import { inRolledBackTransaction } from './roll-back.ts';

/** Everything that answers *Why was this (not) filed?* */
export interface Explanation {
  /** As parsed when it was decided, otherwise as parsed now. */
  alert: Alert;
  sender: string | null;
  /** The identity it counts toward; `null` if it is not an alert. */
  identity: string | null;
  /** The stored decision; `null` if there is none. */
  record: Pick<AlertRow, 'decision' | 'reason' | 'decidedAt' | 'outcome'> | null;
  /** Without a stored decision: why there is none, and what would be decided now (`null` if nothing would be). */
  missed: { why: string; would: Pick<DecisionResult, 'decision' | 'reason'> | null } | null;
  /** The issue that it belongs to, or would. */
  issue: Issue | null;
  hold: Hold | null;
}

/** Looks up the decision on a message. If there is none, decides now, without storing it. */
export async function explainDecision(
  seen: ChannelMessage,
  options: DecideOptions & RuleOptions & { store: Store },
): Promise<Explanation> {
  const { store } = options;
  const row = await store.alerts.find(seen.channel, seen.ts);
  if (row === null) return explainMissed(seen, options);
  return {
    alert: alertOf(row),
    sender: row.sender,
    identity: row.identity,
    record: row,
    missed: null,
    issue: row.issueId === null ? null : await store.issues.get(row.issueId),
    hold: row.holdId === null ? null : await store.holds.get(row.holdId),
  };
}

async function explainMissed(
  seen: ChannelMessage,
  options: DecideOptions & RuleOptions & { store: Store },
): Promise<Explanation> {
  const { store } = options;
  const { watched, settings } = await store.channels.get(seen.channel);
  const { seenTs } = await store.channels.position(seen.channel);
  const problem = await alertIdentity(store, seen.alert, settings, options.defaultEnvironment);
  const isTalk = seen.byPerson && seen.threadTs !== null;
  const [verdict] = await patternVerdicts(seen.channel, [seen], options);
  const against = verdict?.against ?? null;
  const would = isTalk
    ? null
    : await inRolledBackTransaction(store, (tx) => considerIn(tx, seen, against, options));
  return {
    alert: seen.alert,
    sender: seen.sender,
    identity: problem?.identity ?? null,
    record: null,
    missed: {
      why: isTalk ? TALK : whyMissed(watched, seenTs !== null && Number(seen.ts) <= Number(seenTs)),
      would,
    },
    // An issue that exists only in the rolled-back decision is not found.
    issue: would?.issueId == null ? null : await store.issues.get(would.issueId),
    hold: null,
  };
}

const TALK = 'a person’s reply in a thread is never read as an alert';

function whyMissed(watched: boolean, older: boolean): string {
  if (!watched) return 'this channel is not watched; `/gumshoe watch` turns it on';
  return older
    ? 'it was posted before this channel was watched, or while I was not in it'
    : 'it has not reached me yet; I catch up on what was posted while I was down';
}
