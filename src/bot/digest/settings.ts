import type { Digest } from '../store/digests.ts';
import { changeIntent } from '../store/intents/channel-intents.ts';
import { announcementKey } from '../store/intents/keys.ts';
import type { Aggregates } from '../store/open.ts';
import { type DigestTimes, nextDigest } from './times.ts';

/** Who changes a channel's digest. Repeating a `cause` changes nothing. */
export interface DigestChange {
  cause: string;
  channel: string;
  by: string;
  /** `null` turns the digest off. */
  times: DigestTimes | null;
  /** What `digestState` returned when the person saw it. */
  basedOn: string;
  now: number;
}

const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Identifies the state of a channel's digest, so that nobody overwrites a change they have not seen. */
export function digestState(digest: Digest | null): string {
  return digest === null ? 'off' : `${digest.days} ${digest.time} ${digest.zone}`;
}

/** `Monday to Friday at 09:00 (Europe/Berlin)`; plain text. */
export function digestWords({ days, time, zone }: DigestTimes): string {
  return `${daysInWords(days)} at ${time} (${zone})`;
}

/**
 * Stores when a channel gets its digest, with the audit entry and the announcement, in one transaction.
 *
 * @returns `changed_meanwhile` if somebody else changed it in the meantime; nothing is stored then.
 */
export async function setDigest(
  tx: Aggregates,
  { cause, channel, by, times, basedOn, now }: DigestChange,
): Promise<'saved' | 'changed_meanwhile'> {
  if ((await tx.outbox.get(announcementKey(cause))) !== null) return 'saved';
  const before = digestState(await tx.digests.get(channel));
  if (before !== basedOn) return 'changed_meanwhile';
  const after = times === null ? 'off' : `${times.days} ${times.time} ${times.zone}`;
  if (after === before) return 'saved';
  const when = times === null ? null : digestWords(times);
  if (times === null) await tx.digests.remove(channel);
  else await tx.digests.save({ channel, ...times, setBy: by, nextAt: nextDigest(times, now) });
  const what =
    when === null ? `turned off the digest of ${channel}` : `set the digest of ${channel}: ${when}`;
  await tx.audit.add({ at: now, who: by, what, issueId: null, channel });
  await tx.outbox.want(changeIntent(cause, channel, { what: 'digest', by, when }, now));
  return 'saved';
}

function daysInWords(days: string): string {
  const sorted = NAMES.flatMap((_, index) => (days.includes(String(index + 1)) ? [index] : []));
  const [first = 0] = sorted;
  const last = sorted.at(-1) ?? 0;
  if (sorted.length === NAMES.length) return 'every day';
  const areTogether = last - first + 1 === sorted.length;
  if (areTogether && sorted.length > 2) return `${NAMES[first]} to ${NAMES[last]}`;
  const names = sorted.map((day) => NAMES[day]);
  return [...names.slice(0, -2), names.slice(-2).join(' and ')].join(', ');
}
