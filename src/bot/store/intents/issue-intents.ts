import type { IntentOf, Message, Place, Revision } from './intent.ts';
import {
  anotherCauseKey,
  askHereKey,
  askOwnerKey,
  cardKey,
  endedKey,
  eyesKey,
  heldKey,
  type OutboxKey,
  pagedKey,
  partedKey,
  rawJsonKey,
  resultKey,
  resultsFileKey,
  shortCardKey,
  signKey,
  slowKey,
  suggestionKey,
  symptomKey,
  trialKey,
  verdictKey,
  writeupKey,
} from './keys.ts';

interface IssuePlace extends Place {
  id: string;
}

/** An alert's message, and its thread. */
interface Alert extends Message {
  threadTs: string | null;
}

export function cardIntent(
  { id, channel, threadTs, requestedBy }: IssuePlace & { requestedBy: string | null },
  at: number,
): IntentOf<'card'> {
  const common = { key: cardKey(id), kind: 'card', channel, threadTs, issueId: id, at } as const;
  if (requestedBy === null) return { ...common, payload: {} };
  return { ...common, payload: { requester: requestedBy }, urgent: true };
}

/** The card in the thread of an alert counted by an issue of another channel. */
export function shortCardIntent(
  issueId: string,
  { channel, ts, threadTs }: Alert,
  at: number,
): IntentOf<'short_card'> {
  return {
    key: shortCardKey(issueId, { channel, ts }),
    kind: 'short_card',
    channel,
    threadTs: threadTs ?? ts,
    issueId,
    payload: { alert: { channel, ts } },
    at,
  };
}

/** *File it* under an alert. */
export function suggestionIntent({ channel, ts, threadTs }: Alert, at: number): IntentOf<'suggestion'> {
  return {
    key: suggestionKey({ channel, ts }),
    kind: 'suggestion',
    channel,
    threadTs: threadTs ?? ts,
    payload: { alert: { channel, ts } },
    at,
  };
}

/** Somebody filed the suggested alert; `counted` if an existing open issue only counts it. */
export function filedSuggestion(
  { channel, ts }: Message,
  { by, counted }: { by: string; counted: boolean },
): Revision {
  return {
    key: suggestionKey({ channel, ts }),
    kind: 'suggestion',
    payload: { alert: { channel, ts }, by, counted },
  };
}

/** 👀 on a message that was filed. */
export function eyesIntent(issueId: string, { channel, ts }: Message, at: number): IntentOf<'reaction'> {
  return {
    key: eyesKey({ channel, ts }),
    kind: 'reaction',
    channel,
    threadTs: ts,
    issueId,
    payload: { name: 'eyes', ts },
    at,
  };
}

/** A reaction on a message that stays as it is, whatever becomes of an issue. */
export function reactionIntent({ channel, ts }: Message, name: string, at: number): IntentOf<'reaction'> {
  return {
    key: eyesKey({ channel, ts }),
    kind: 'reaction',
    channel,
    threadTs: ts,
    payload: { name, ts },
    at,
  };
}

/** What became of a message, in its thread. */
export function signIntent({ channel, ts }: Message, at: number): IntentOf<'sign'> {
  return {
    key: signKey({ channel, ts }),
    kind: 'sign',
    channel,
    threadTs: ts,
    payload: { alert: { channel, ts } },
    at,
  };
}

/**
 * The rolling message of a held batch.
 *
 * @param options.since when its first alert was posted, in milliseconds
 * @param options.threadTs the thread that it is in, in a channel on trial
 */
export function heldIntent(
  hold: string,
  channel: string,
  at: number,
  { since = at, threadTs = null }: { since?: number; threadTs?: string | null } = {},
): IntentOf<'held'> {
  return { key: heldKey(hold), kind: 'held', channel, threadTs, payload: { hold }, at, since };
}

/** @param isSaid a symptom's later look, of which its thread says all there is already */
export function resultIntent(
  { id, channel, threadTs }: IssuePlace,
  version: number,
  at: number,
  isSaid = false,
): IntentOf<'result'> {
  return {
    key: resultKey(id, version),
    kind: 'result',
    channel,
    threadTs,
    issueId: id,
    payload: { version, notice: 'result', ...(isSaid ? { isSaid } : {}) },
    at,
  };
}

/** An investigation ended without results. */
export function endedIntent(
  { id, channel, threadTs }: IssuePlace,
  version: number,
  { notice, reason = '' }: { notice: 'nothing' | 'failed'; reason?: string },
  at: number,
): IntentOf<'notice'> {
  return {
    key: endedKey(id, version),
    kind: 'notice',
    channel,
    threadTs,
    issueId: id,
    payload: { version, notice, ...(reason === '' ? {} : { reason }) },
    at,
  };
}

/** What fires now has another cause, and is another issue. */
export function anotherCauseIntent(
  { id, channel, threadTs }: IssuePlace,
  found: { version: number; other: string; was: string; now: string },
  at: number,
): IntentOf<'notice'> {
  return {
    key: anotherCauseKey(id, found.version),
    kind: 'notice',
    channel,
    threadTs,
    issueId: id,
    payload: { notice: 'another_cause', ...found },
    at,
  };
}

/** An issue with a verdict of its own is a symptom of another one. */
export function symptomIntent(
  { id, channel, threadTs }: IssuePlace,
  head: string,
  at: number,
): IntentOf<'notice'> {
  return {
    key: symptomKey(id, head),
    kind: 'notice',
    channel,
    threadTs,
    issueId: id,
    payload: { notice: 'symptom', other: head },
    at,
  };
}

/** Two problems that were counted as one are two issues now. */
export function partedIntent(
  { id, channel, threadTs }: IssuePlace,
  other: string,
  at: number,
): IntentOf<'notice'> {
  return {
    key: partedKey(id, other),
    kind: 'notice',
    channel,
    threadTs,
    issueId: id,
    payload: { notice: 'parted', other },
    at,
  };
}

/** An investigation is taking long. */
export function slowIntent(
  { id, channel, threadTs }: IssuePlace,
  version: number,
  at: number,
): IntentOf<'notice'> {
  return {
    key: slowKey(id, version),
    kind: 'notice',
    channel,
    threadTs,
    issueId: id,
    payload: { version, notice: 'slow' },
    at,
  };
}

/** Says that questions can be asked in an issue's thread; `triggerId` if that is repeated. */
export function askHereIntent(
  { id, channel, threadTs }: IssuePlace,
  conversationId: string,
  triggerId: string | null,
  at: number,
): IntentOf<'notice'> {
  return {
    key: askHereKey(conversationId, triggerId),
    kind: 'notice',
    channel,
    threadTs,
    issueId: id,
    payload: { notice: 'ask_here' },
    at,
  };
}

/** The verdict in its owner's channel, once. */
export function askOwnerIntent(
  issueId: string,
  { name, channel }: { name: string; channel: string },
  by: string,
  at: number,
): IntentOf<'notice'> {
  return {
    key: askOwnerKey(issueId, channel),
    kind: 'notice',
    channel,
    threadTs: null,
    issueId,
    payload: { notice: 'ask_owner', owner: name, by },
    urgent: true,
    at,
  };
}

/** What became of a page, in the issue's thread; `failure` in words. */
export function pagedIntent(
  { id, channel, threadTs }: IssuePlace,
  of: string,
  isEnd: boolean,
  { tool, owner, by, failure }: { tool: string; owner: string; by: string; failure: string | null },
  at: number,
): IntentOf<'notice'> {
  const reason = failure === null ? {} : { reason: failure };
  return {
    key: pagedKey(of),
    kind: 'notice',
    channel,
    threadTs,
    issueId: id,
    payload: { notice: isEnd ? 'page_over' : 'paged', tool, owner, by, ...reason },
    urgent: true,
    at,
  };
}

/** An investigation's findings, in a short card's thread. */
export function verdictIntent(
  issueId: string,
  card: Place & { key: OutboxKey },
  version: number,
  at: number,
): IntentOf<'verdict'> {
  return {
    key: verdictKey(card.key, version),
    kind: 'verdict',
    channel: card.channel,
    threadTs: card.threadTs,
    issueId,
    payload: { version, card: card.key },
    at,
  };
}

/** All results of a version as a file, after the message that had to shorten them. */
export function resultsFileIntent(
  { id, channel, threadTs }: IssuePlace,
  version: number,
  at: number,
): IntentOf<'file'> {
  return {
    key: resultsFileKey(id, version),
    kind: 'file',
    channel,
    threadTs,
    issueId: id,
    payload: { file: 'results', issue: id, version, after: resultKey(id, version) },
    at,
  };
}

/** The raw JSON of a piece of evidence as a file; `owner` as in the store's artifacts. */
export function rawJsonIntent(
  { owner, id }: { owner: string; id: string },
  { channel, threadTs }: Place,
  issueId: string | null,
  at: number,
): IntentOf<'file'> {
  return {
    key: rawJsonKey(owner, id),
    kind: 'file',
    channel,
    threadTs,
    ...(issueId === null ? {} : { issueId }),
    payload: { file: 'artifact', owner, id },
    urgent: true,
    at,
  };
}

/** The write-up of an issue as a file in its thread. */
export function writeupIntent(
  { id, channel, threadTs }: IssuePlace,
  cause: string,
  at: number,
): IntentOf<'file'> {
  return {
    key: writeupKey(id, cause),
    kind: 'file',
    channel,
    threadTs,
    issueId: id,
    payload: { file: 'writeup', issue: id },
    urgent: true,
    at,
  };
}

/** The last days' alerts, investigated as of then, as a file for who asked. */
export function trialIntent(
  channel: string,
  { days, cause }: { days: number; cause: string },
  at: number,
): IntentOf<'file'> {
  return {
    key: trialKey(cause),
    kind: 'file',
    channel,
    threadTs: null,
    payload: { file: 'trial', days },
    urgent: true,
    at,
  };
}
