import { z } from 'zod';

/**
 * Keys of intents in the outbox. They are stored and posted with each message, so their
 * format never changes. `test/bot/store/intents/` pins each one.
 */

/** The prefix of a key gives the kind of message. */
const KINDS = [
  'alert',
  'announcement',
  'answer',
  'backfilled',
  'card',
  'digest',
  'file',
  'held',
  'late',
  'not_listening',
  'notice',
  'reaction',
  'result',
  'short',
  'sign',
  'suggestion',
  'systems',
  'trouble',
  'unreadable',
  'verdict',
  'waiting',
] as const;

/** The key of an intent. Keys are only built in this file. */
export type OutboxKey = `${(typeof KINDS)[number]}:${string}`;

/** A key from the store or from a button. */
export const StoredOutboxKey: z.ZodType<OutboxKey> = z.templateLiteral([z.enum(KINDS), ':', z.string()]);

interface Message {
  channel: string;
  ts: string;
}

/** The key prefix of a held batch's message. */
export const HELD_PREFIX = 'held:';

export const cardKey = (issueId: string): OutboxKey => `card:${issueId}`;

export const shortCardKey = (issueId: string, { channel, ts }: Message): OutboxKey =>
  `short:${issueId}:${channel}:${ts}`;

export const suggestionKey = ({ channel, ts }: Message): OutboxKey => `suggestion:${channel}:${ts}`;

/** What became of a message, in its thread. */
export const signKey = ({ channel, ts }: Message): OutboxKey => `sign:${channel}:${ts}`;

export const eyesKey = ({ channel, ts }: Message): OutboxKey => `reaction:${channel}:${ts}:eyes`;

export const alertKey = (receivedId: string): OutboxKey => `alert:${receivedId}`;

export const heldKey = (holdId: string): OutboxKey => `${HELD_PREFIX}${holdId}`;

/** Whether a key is that of an issue's first results, those of version 1. */
export const isFirstResult = (key: string): boolean => /^result:.+:1$/u.test(key);

export const resultKey = (issueId: string, version: number): OutboxKey => `result:${issueId}:${version}`;

export const verdictKey = (shortCard: OutboxKey, version: number): OutboxKey =>
  `verdict:${shortCard}:${version}`;

/** An investigation ended without results. */
export const endedKey = (issueId: string, version: number): OutboxKey => `notice:ended:${issueId}:${version}`;

export const askOwnerKey = (issueId: string, channel: string): OutboxKey =>
  `notice:owner:${issueId}:${channel}`;

/** What became of a page. */
export const pagedKey = (of: string): OutboxKey => `notice:page:${of}`;

/** The version of an issue in which its alert was found to have another cause. */
export const anotherCauseKey = (issueId: string, version: number): OutboxKey =>
  `notice:cause:${issueId}:${version}`;

/** An issue was put under one that leads its incident. */
export const symptomKey = (issueId: string, head: string): OutboxKey => `notice:symptom:${issueId}:${head}`;

/** What an issue counted of another problem is that problem's issue now. */
export const partedKey = (issueId: string, other: string): OutboxKey => `notice:parted:${issueId}:${other}`;

/** An investigation is taking long. */
export const slowKey = (issueId: string, version: number): OutboxKey => `notice:slow:${issueId}:${version}`;

/** Questions can be asked in the thread; `triggerId` if that is repeated. */
export const askHereKey = (conversationId: string, triggerId: string | null = null): OutboxKey =>
  `notice:ask:${conversationId}${triggerId === null ? '' : `:${triggerId}`}`;

export const answerKey = (questionId: string): OutboxKey => `answer:${questionId}`;

/** The offer to answer late questions, named after the first of them. */
export const lateKey = (questionId: string): OutboxKey => `late:${questionId}`;

export const notListeningKey = (cause: string): OutboxKey => `not_listening:${cause}`;

/** The message of a channel about what is about to break. */
export const systemsKey = (channel: string): OutboxKey => `systems:${channel}`;

export const digestKey = (channel: string, due: number): OutboxKey => `digest:${channel}:${due}`;

/** A digest that somebody asked for. */
export const digestNowKey = (channel: string, cause: string): OutboxKey => `digest:${channel}:now:${cause}`;

export const resultsFileKey = (issueId: string, version: number): OutboxKey =>
  `file:results:${issueId}:${version}`;

/** The file with the raw JSON of a piece of evidence; `owner` as in the store's artifacts. */
export const rawJsonKey = (owner: string, id: string): OutboxKey => `file:artifact:${owner}:${id}`;

/** The write-up that `cause` asked for. */
export const writeupKey = (issueId: string, cause: string): OutboxKey => `${WRITEUPS}${issueId}:${cause}`;
/** What the keys of all write-ups begin with. */
export const WRITEUPS = 'file:writeup:';

export const trialKey = (cause: string): OutboxKey => `file:trial:${cause}`;

/** The end of a channel's trial. */
export const trialOverKey = (channel: string, since: number): OutboxKey =>
  `announcement:trial:${channel}:${since}`;

/** A change made by `cause`; `channel` if it is announced in several. */
export const announcementKey = (cause: string, channel: string | null = null): OutboxKey =>
  `announcement:${cause}${channel === null ? '' : `:${channel}`}`;

export const backfilledKey = (channel: string, gapFrom: string): OutboxKey =>
  `backfilled:${channel}:${gapFrom}`;

/** The key prefix of the messages about a problem; each key ends in the recipient. */
export const problemPrefix = ({ name, since }: { name: string; since: number }): OutboxKey =>
  `trouble:${name}:${since}:`;

export const afterKeys = (prefix: OutboxKey): OutboxKey => `${prefix}\u{10ffff}`;

export const problemKey = (problem: { name: string; since: number }, person: string): OutboxKey =>
  `${problemPrefix(problem)}${person}`;

export const unreadableKey = (channel: string, threadTs: string | null): OutboxKey =>
  `unreadable:${channel}:${threadTs ?? ''}`;

/** The line of a channel whose alerts are waiting for the service, named after the first waiting issue. */
export const queuedLineKey = (issueId: string): OutboxKey => `waiting:${issueId}`;
