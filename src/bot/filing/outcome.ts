import type { ReceivedAlert } from '../alerts/format.ts';
import type { Decision } from '../store/alerts.ts';
import type { Hold } from '../store/holds.ts';
import type { Reason } from '../store/reasons.ts';
import type { ReceivedAlertRow } from '../store/received-alerts.ts';
import type { Unfiled } from './recover.ts';

/** What becomes of an occurrence: a message, or a report of a webhook or the pull. */
export interface Outcome {
  decision: Decision;
  reason: Reason;
  /** The issue that it concerns; `null` for none, or one that is still to be filed. */
  issueId: string | null;
  action: Action;
  /** When its recovery, which arrived first, was decided; it is over once this is carried out. */
  recoveredAt: number | null;
  /** Whether the decision is stored; a stored decision is not replaced by a lesser one. */
  isRecorded: boolean;
  /** To be offered to its author: a *File it* button that only they see. */
  offerToAuthor: boolean;
  /** Of a report: how it is stored, and what follows for others. */
  receipt: Receipt | null;
}

export type Action =
  | { kind: 'none' }
  | { kind: 'note'; text: string }
  | { kind: 'count' }
  /** An edit of a message that its issue counts already, or a notification again. */
  | { kind: 'escalate' }
  | { kind: 'recover'; resolves: boolean }
  | { kind: 'end_unfiled'; unfiled: Unfiled }
  | { kind: 'reopen' }
  /** Its issue is reopened, and investigated again. */
  | { kind: 'look_anew' }
  | { kind: 'suggest' }
  | { kind: 'suggest_again'; row: string; ts: string }
  | { kind: 'hold'; by: Hold['reason'] }
  | { kind: 'join_hold'; holdId: string }
  /** `eyes`: with 👀 on the message. */
  | { kind: 'file'; eyes: boolean };

/** What became of a report. */
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

export interface Receipt {
  outcome: ReceivedOutcome;
  state: ReceivedAlertRow['state'];
  /** What it counts as from now on. */
  identity: string | null;
  /** When it recovered, if it has. */
  overAt: number | null;
  effects: readonly Effect[];
  /** It gets a message in the channel that its route names. */
  isPosted: boolean;
}

/** What a report changes of earlier ones. */
export type Effect =
  /** From now on, everything that counts as `identity` counts as `target`. */
  | { kind: 'join'; identity: string; target: string }
  /** The message of a received alert is over; `refresh`: and says so. */
  | { kind: 'over'; id: string; refresh: boolean }
  /** The message of a received alert says that it fires again, or at another severity. */
  | { kind: 'fires_again'; id: string; reading: ReceivedAlert }
  /** An alert without a route is over, or was received again. */
  | { kind: 'settle'; id: string };

export const NOTHING: Action = { kind: 'none' };

export function outcome(
  decision: Decision,
  reason: Reason,
  issueId: string | null,
  action: Action,
  more: Partial<Outcome> = {},
): Outcome {
  return {
    decision,
    reason,
    issueId,
    action,
    recoveredAt: null,
    isRecorded: true,
    offerToAuthor: false,
    receipt: null,
    ...more,
  };
}

export function ignored(reason: Reason, more: Partial<Outcome> = {}): Outcome {
  return outcome('ignored', reason, null, NOTHING, more);
}
