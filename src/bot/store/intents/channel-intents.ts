import type { IntentOf, Place, Revision } from './intent.ts';
import {
  alertKey,
  announcementKey,
  backfilledKey,
  digestKey,
  digestNowKey,
  type OutboxKey,
  problemKey,
  systemsKey,
  trialOverKey,
  unreadableKey,
} from './keys.ts';
import type { QueuedLine, SystemsLine, WrittenPayload } from './payloads.ts';

type Announcement = WrittenPayload<'announcement'>;

/** What somebody changed for one channel, or for all. */
export type Change = Extract<
  Announcement,
  {
    what:
      | 'watched'
      | 'changed'
      | 'unwatched'
      | 'named_elsewhere'
      | 'paused'
      | 'resumed'
      | 'planned'
      | 'plan_ended'
      | 'digest'
      | 'systems_watched';
  }
>;

/** The contents of a digest, and why it is sent now. */
export type DigestPayload = WrittenPayload<'digest'>;

function announcement(
  key: OutboxKey,
  { channel, threadTs }: Place,
  payload: Announcement,
  at: number,
): IntentOf<'announcement'> {
  return { key, kind: 'announcement', channel, threadTs, payload, at };
}

/** Tells a channel about a change to its settings, once per `cause`. */
export function changeIntent(cause: string, channel: string, change: Change, at: number) {
  return announcement(announcementKey(cause), { channel, threadTs: null }, change, at);
}

/** Tells one of several channels about a change that concerns them all. */
export function sharedChangeIntent(cause: string, channel: string, change: Change, at: number) {
  return announcement(announcementKey(cause, channel), { channel, threadTs: null }, change, at);
}

/** Messages were missed, and are too old to decide on. `gapFrom` is a Slack `ts`. */
export function backfilledIntent(
  channel: string,
  gapFrom: string,
  { messages, older, isMore }: { messages: number; older: number; isMore: boolean },
  at: number,
): IntentOf<'announcement'> {
  const from = Math.floor(Number(gapFrom) * 1_000);
  const payload = { what: 'backfilled' as const, from, to: at, messages, older, isMore };
  const place = { channel, threadTs: null };
  return { ...announcement(backfilledKey(channel, gapFrom), place, payload, at), since: from };
}

/** Something in Slack or at the service that does not work until somebody fixes it. */
interface Problem {
  name: string;
  reason: string;
  since: number;
}

/** Tells a person about a problem by direct message. */
export function problemIntent(problem: Problem, person: string, dm: string, at: number) {
  const payload = problemPayload(problem, null);
  return announcement(problemKey(problem, person), { channel: dm, threadTs: null }, payload, at);
}

/** Updates a message about a problem to its current state. */
export function problemNow(key: OutboxKey, problem: Problem, mendedAt: number | null): Revision {
  return { key, kind: 'announcement', payload: problemPayload(problem, mendedAt) };
}

function problemPayload({ name, reason, since }: Problem, mendedAt: number | null): Announcement {
  return { what: 'trouble', name, reason, since, mendedAt };
}

/** A message that was due there cannot be read; `since` is when it was requested. */
export function unreadableIntent(place: Place, at: number, since: number): IntentOf<'announcement'> {
  const key = unreadableKey(place.channel, place.threadTs);
  return { ...announcement(key, place, { what: 'unreadable' }, at), since };
}

/** The line of a channel whose alerts are waiting for the service; `since` is when the first of them was posted. */
export function queuedLineIntent(
  { key, channel, since }: { key: OutboxKey; channel: string; since: number },
  line: Omit<QueuedLine, 'what'>,
  at: number,
): IntentOf<'announcement'> {
  const payload = queuedLine(key, line).payload;
  return { key, kind: 'announcement', channel, threadTs: null, payload, at, since };
}

/** The new text of such a line. */
export function queuedLine(key: OutboxKey, { cause, since, back }: Omit<QueuedLine, 'what'>) {
  const payload = { what: 'waiting' as const, cause, since, back };
  return { key, kind: 'announcement' as const, payload } satisfies Revision;
}

/** The message of a channel about what is about to break. */
export function systemsIntent(channel: string, line: Omit<SystemsLine, 'what'>, at: number) {
  const payload = { what: 'systems' as const, ...line };
  return announcement(systemsKey(channel), { channel, threadTs: null }, payload, at);
}

/** Asks a channel whether to go on, after its trial that began at `since`. */
export function trialOverIntent(channel: string, since: number, at: number) {
  const key = trialOverKey(channel, since);
  return announcement(key, { channel, threadTs: null }, { what: 'trial_over', since }, at);
}

/** The message of an alert delivered by webhook; `since` is when that was. */
export function alertIntent(received: string, channel: string, at: number, since: number): IntentOf<'alert'> {
  return {
    key: alertKey(received),
    kind: 'alert',
    channel,
    threadTs: null,
    payload: { received },
    at,
    since,
  };
}

export function digestIntent(channel: string, digest: DigestPayload & { due: number }): IntentOf<'digest'> {
  return { ...digestOf(digestKey(channel, digest.due), channel, digest), urgent: false, since: digest.due };
}

/** A digest that somebody asked for, once per `cause`. */
export function digestNowIntent(
  channel: string,
  cause: string,
  { since, until, by, hygiene }: { since: number; until: number; by: string; hygiene?: boolean },
): IntentOf<'digest'> {
  const digest = { since, until, due: null, by, ...(hygiene === undefined ? {} : { hygiene }) };
  return { ...digestOf(digestNowKey(channel, cause), channel, digest), urgent: true, since: until };
}

function digestOf(key: OutboxKey, channel: string, { since, until, due, by, hygiene }: DigestPayload) {
  const payload = { since, until, due, by, ...(hygiene === true ? { hygiene } : {}) };
  return { key, kind: 'digest' as const, channel, threadTs: null, payload, at: until };
}
