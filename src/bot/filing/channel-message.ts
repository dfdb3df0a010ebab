import type { Clock } from '../../lib/clock.ts';
import type { Alert } from '../alerts/types.ts';
import type { Decision } from '../store/alerts.ts';

/** A message in a channel, as parsed. */
export interface ChannelMessage {
  channel: string;
  ts: string;
  /** The root of its thread; `null` for a top-level message. */
  threadTs: string | null;
  permalink: string | null;
  alert: Alert;
  /** The tool's name as people see it; `null` for a person. */
  sender: string | null;
  /** Written by a person: filed automatically only if the channel includes people. */
  byPerson: boolean;
  /** Its author may not file: a guest, or somebody from another organisation. */
  byStranger?: boolean;
  /** The message was edited (many tools show a recovery that way); its current state is what counts. */
  edited: boolean;
  /** What an acknowledgement or update says about its alert, in one line. */
  note: string | null;
}

/** The outcome for a message, and the reason, in a sentence for people. */
export interface DecisionResult {
  decision: Decision;
  reason: string;
  issueId: string | null;
  /** The held batch that it is in. */
  holdId?: string;
  /** It is not waiting there, because its recovery arrived first. */
  isOver?: boolean;
  /** To be offered to its author: a *File it* button that only they see. */
  offerToAuthor?: boolean;
}

export interface DecideOptions {
  clock: Clock;
  /** If neither the message nor the channel states one. */
  defaultEnvironment: string;
  /** New issues in 24 hours across the workspace; more are held. */
  maxIssuesPerDay: number;
}

export interface ConsentOptions {
  /** Whether nothing may be filed from a channel until a member agrees that its issues may be named elsewhere. */
  needsConsent: (channel: string) => Promise<boolean>;
}
