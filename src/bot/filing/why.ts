import type { Alert } from '../alerts/types.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { Hold } from '../store/holds.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/open.ts';
import { type Reason, readReason } from '../store/reasons.ts';
import { decide } from './decide.ts';
import { gather } from './facts.ts';
import { alertOf, type ConsentOptions, type DecideOptions, type Occurrence } from './occurrence.ts';
import type { Outcome } from './outcome.ts';

type Options = DecideOptions & ConsentOptions & { store: Store };

/** Everything that answers *Why was this (not) filed?* */
export interface Explanation {
  /** As parsed when it was decided, otherwise as parsed now. */
  alert: Alert;
  sender: string | null;
  /** The identity it counts toward; `null` if it is not an alert. */
  identity: string | null;
  /** The stored decision; `null` if there is none. */
  record: (Pick<AlertRow, 'decision' | 'decidedAt' | 'outcome'> & { reason: Reason }) | null;
  /** Without a stored decision: why there is none, and what would be decided now (`null` if nothing would be). */
  missed: { why: string; would: Pick<Outcome, 'decision' | 'reason'> | null } | null;
  /** The issue that it belongs to, or would. */
  issue: Issue | null;
  hold: Hold | null;
}

/** Looks up the decision on a message. If there is none, says what it would be now. */
export async function explainDecision(seen: Occurrence, options: Options): Promise<Explanation> {
  const { store } = options;
  const row = await store.alerts.find(seen.channel, seen.ts);
  if (row === null) return explainMissed(seen, options);
  return {
    alert: alertOf(row),
    sender: row.sender,
    identity: row.identity,
    record: { ...row, reason: readReason(row.reason) },
    missed: null,
    issue: row.issueId === null ? null : await store.issues.get(row.issueId),
    hold: row.holdId === null ? null : await store.holds.get(row.holdId),
  };
}

async function explainMissed(seen: Occurrence, options: Options): Promise<Explanation> {
  const { store } = options;
  const { watched } = await store.channels.get(seen.channel);
  const { seenTs } = await store.channels.position(seen.channel);
  const needsConsent = await options.needsConsent(seen.channel);
  const facts = await gather(store, seen, { ...options, needsConsent }, null);
  const isTalk = seen.byPerson && seen.threadTs !== null;
  const would = isTalk ? null : decide(facts);
  return {
    alert: seen.alert,
    sender: seen.sender,
    identity: facts.identity?.identity ?? null,
    record: null,
    missed: {
      why: isTalk ? TALK : whyMissed(watched, seenTs !== null && Number(seen.ts) <= Number(seenTs)),
      would: would === null ? null : { decision: would.decision, reason: would.reason },
    },
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
