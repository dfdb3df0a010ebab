import type { Clock } from '../../lib/clock.ts';
import type { Alert } from '../alerts/types.ts';
import type { Decision } from '../store/alerts.ts';

/** A message in a channel, as parsed. */
export interface ChannelMessage {
  channel: string;
  ts: string;
  /** The root of the thread that it is a reply in; `null` at top level. */
  threadTs: string | null;
  permalink: string | null;
  alert: Alert;
  /** The tool's name as people see it; `null` for a person. */
  sender: string | null;
  /** Written by a person: filed automatically only where the channel includes people. */
  byPerson: boolean;
  /** Its author is no member of the workspace, and may not file: a guest, or of another organisation. */
  byStranger?: boolean;
  /** The message was edited since (many tools show a recovery that way): decided by its present state. */
  edited: boolean;
  /** What an acknowledgement or update says of its alert, in a line. */
  note: string | null;
}

/** What became of a message, and why, in a sentence for people. */
export interface DecisionResult {
  decision: Decision;
  reason: string;
  issueId: string | null;
  /** The hold that it waits in. */
  holdId?: string;
  /** It does not wait there: its recovery came before it. */
  isOver?: boolean;
  /** To be offered to its author: a *File it* button that only they see. */
  offerToAuthor?: boolean;
}

export interface DecideOptions {
  clock: Clock;
  /** Where neither the message nor the channel names one. */
  defaultEnvironment: string;
  /** New issues in 24 hours over the whole workspace; more are held. */
  maxIssuesPerDay: number;
}
