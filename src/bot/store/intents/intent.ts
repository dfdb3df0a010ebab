import type { OutboxKey } from './keys.ts';
import type { IntentKind, WrittenPayload } from './payloads.ts';

interface Envelope {
  key: OutboxKey;
  channel: string;
  threadTs: string | null;
  issueId?: string;
  questionId?: string;
  /** A person is waiting for it: sent before anything else in the channel. */
  urgent?: boolean;
  /** Less severe than others of its kind: sent after them. */
  minor?: boolean;
  at: number;
  /** Not posted before then, in milliseconds. Defaults to at once. */
  notBefore?: number;
  /** When its subject began, in milliseconds: messages are sent, and looked for in Slack, from then on. Defaults to `at`. */
  since?: number;
}

/**
 * Something to say in Slack. One message (or set of parts) per key, whatever happens in between.
 *
 * @example
 * await store.transaction(async (tx) => {
 *   await tx.issues.apply(issue.id, transitions.retry(act, true));
 *   await tx.outbox.want(askHereIntent(issue, conversation.id, null, now));
 * });
 */
export type Intent = { [K in IntentKind]: Envelope & { kind: K; payload: WrittenPayload<K> } }[IntentKind];

export type IntentOf<K extends IntentKind> = Extract<Intent, { kind: K }>;

/** The new contents of a message that was already requested. */
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
