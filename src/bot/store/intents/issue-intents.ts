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
import type { WrittenPayload } from './payloads.ts';

interface IssuePlace extends Place {
  id: string;
}

interface Alert extends Message {
  threadTs: string | null;
}

function inThread({ id, channel, threadTs }: IssuePlace, at: number) {
  return { channel, threadTs, issueId: id, at };
}

function notice(
  key: OutboxKey,
  issue: IssuePlace,
  payload: WrittenPayload<'notice'>,
  at: number,
): IntentOf<'notice'> {
  return { key, kind: 'notice', ...inThread(issue, at), payload };
}

function below({ channel, ts, threadTs }: Message & { threadTs?: string | null }, at: number) {
  return { channel, threadTs: threadTs ?? ts, at };
}

export function cardIntent(issue: IssuePlace & { requestedBy: string | null }, at: number): IntentOf<'card'> {
  const { id, requestedBy } = issue;
  const common = { key: cardKey(id), kind: 'card', ...inThread(issue, at) } as const;
  if (requestedBy === null) return { ...common, payload: {} };
  return { ...common, payload: { requester: requestedBy }, urgent: true };
}

/** The card in the thread of an alert counted by an issue of another channel. */
export function shortCardIntent(issueId: string, message: Alert, at: number): IntentOf<'short_card'> {
  const { channel, ts } = message;
  const alert = { channel, ts };
  const key = shortCardKey(issueId, alert);
  return { key, kind: 'short_card', ...below(message, at), issueId, payload: { alert } };
}

/** *File it* under an alert. */
export function suggestionIntent(message: Alert, at: number): IntentOf<'suggestion'> {
  const { channel, ts } = message;
  const alert = { channel, ts };
  return { key: suggestionKey(alert), kind: 'suggestion', ...below(message, at), payload: { alert } };
}

/** Somebody filed the suggested alert; `counted` if an existing open issue only counts it. */
export function filedSuggestion(
  { channel, ts }: Message,
  { by, counted }: { by: string; counted: boolean },
): Revision {
  const alert = { channel, ts };
  return { key: suggestionKey(alert), kind: 'suggestion', payload: { alert, by, counted } };
}

/** 👀 on a message that was filed. */
export function eyesIntent(issueId: string, message: Message, at: number): IntentOf<'reaction'> {
  return { ...reactionIntent(message, 'eyes', at), issueId };
}

/** A reaction that does not change with an issue. */
export function reactionIntent({ channel, ts }: Message, name: string, at: number): IntentOf<'reaction'> {
  const key = eyesKey({ channel, ts });
  return { key, kind: 'reaction', ...below({ channel, ts }, at), payload: { name, ts } };
}

/** What became of a message, in its thread. */
export function signIntent({ channel, ts }: Message, at: number): IntentOf<'sign'> {
  const alert = { channel, ts };
  return { key: signKey(alert), kind: 'sign', ...below(alert, at), payload: { alert } };
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

/** @param said `isSaid` where the thread has no more to say, `isAsBefore` where one line says that nothing is new */
export function resultIntent(
  issue: IssuePlace,
  version: number,
  at: number,
  said: { isSaid?: boolean; isAsBefore?: boolean } = {},
): IntentOf<'result'> {
  const { isSaid = false, isAsBefore = false } = said;
  return {
    key: resultKey(issue.id, version),
    kind: 'result',
    ...inThread(issue, at),
    payload: {
      version,
      notice: 'result',
      ...(isSaid ? { isSaid } : {}),
      ...(isAsBefore ? { isAsBefore } : {}),
    },
  };
}

/** An investigation ended without results. */
export function endedIntent(
  issue: IssuePlace,
  version: number,
  { notice: what, reason = '' }: { notice: 'nothing' | 'failed'; reason?: string },
  at: number,
): IntentOf<'notice'> {
  return notice(
    endedKey(issue.id, version),
    issue,
    { version, notice: what, ...(reason === '' ? {} : { reason }) },
    at,
  );
}

/** What fires now has another cause, and is another issue. */
export function anotherCauseIntent(
  issue: IssuePlace,
  found: { version: number; other: string; was: string; now: string },
  at: number,
): IntentOf<'notice'> {
  return notice(anotherCauseKey(issue.id, found.version), issue, { notice: 'another_cause', ...found }, at);
}

/** An issue with a verdict of its own is a symptom of another one. */
export function symptomIntent(issue: IssuePlace, head: string, at: number): IntentOf<'notice'> {
  return notice(symptomKey(issue.id, head), issue, { notice: 'symptom', other: head }, at);
}

/** Two problems that were counted as one are two issues now. */
export function partedIntent(issue: IssuePlace, other: string, at: number): IntentOf<'notice'> {
  return notice(partedKey(issue.id, other), issue, { notice: 'parted', other }, at);
}

/** An investigation is taking long. */
export function slowIntent(issue: IssuePlace, version: number, at: number): IntentOf<'notice'> {
  return notice(slowKey(issue.id, version), issue, { version, notice: 'slow' }, at);
}

/** Says that questions can be asked in an issue's thread; `triggerId` if that is repeated. */
export function askHereIntent(
  issue: IssuePlace,
  conversationId: string,
  triggerId: string | null,
  at: number,
): IntentOf<'notice'> {
  return notice(askHereKey(conversationId, triggerId), issue, { notice: 'ask_here' }, at);
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
  issue: IssuePlace,
  of: string,
  isEnd: boolean,
  { tool, owner, by, failure }: { tool: string; owner: string; by: string; failure: string | null },
  at: number,
): IntentOf<'notice'> {
  const reason = failure === null ? {} : { reason: failure };
  return {
    ...notice(pagedKey(of), issue, { notice: isEnd ? 'page_over' : 'paged', tool, owner, by, ...reason }, at),
    urgent: true,
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
export function resultsFileIntent(issue: IssuePlace, version: number, at: number): IntentOf<'file'> {
  return {
    key: resultsFileKey(issue.id, version),
    kind: 'file',
    ...inThread(issue, at),
    payload: { file: 'results', issue: issue.id, version, after: resultKey(issue.id, version) },
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
export function writeupIntent(issue: IssuePlace, cause: string, at: number): IntentOf<'file'> {
  return {
    key: writeupKey(issue.id, cause),
    kind: 'file',
    ...inThread(issue, at),
    payload: { file: 'writeup', issue: issue.id },
    urgent: true,
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
