import type { OutboxKey } from './keys.ts';
import type { IntentKind, WrittenPayload } from './payloads.ts';

interface Envelope {
  key: OutboxKey;
  channel: string;
  threadTs: string | null;
  issueId?: string;
  questionId?: string;
  /** A person waits for it: before whatever else is to be said in the channel. */
  urgent?: boolean;
  at: number;
  /**
   * How old that is which it tells of, in milliseconds, where it is in no thread: an earlier life may have told of
   * it from then on. `at`, if not said.
   */
  since?: number;
}

/** Something to be said in Slack. One message (or set of parts) a key, whatever happens in between. */
export type Intent = { [K in IntentKind]: Envelope & { kind: K; payload: WrittenPayload<K> } }[IntentKind];

/** An intent of one kind. */
export type IntentOf<K extends IntentKind> = Extract<Intent, { kind: K }>;

/** What a message that has been asked for says from now on. */
export type Revision = {
  [K in IntentKind]: { key: OutboxKey; kind: K; payload: WrittenPayload<K> };
}[IntentKind];

/** Where a message goes. */
export interface Place {
  channel: string;
  threadTs: string | null;
}

/** A message in Slack. */
export interface Message {
  channel: string;
  ts: string;
}
