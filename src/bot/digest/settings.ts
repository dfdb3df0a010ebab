import { wallClock } from '../../lib/wall-clock.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import { changeIntent } from '../store/intents/channel-intents.ts';
import { announcementKey } from '../store/intents/keys.ts';
import type { Aggregates } from '../store/open.ts';

/** Who changes a channel's digest. Repeating a `cause` changes nothing. */
export interface DigestChange {
  cause: string;
  channel: string;
  by: string;
  /** `null` turns the digest off. */
  times: DigestTimes | null;
  /** Whether it says once a week which alerts nobody needed; without it, that stays as it is. */
  hygiene?: boolean;
  /** What `digestState` returned when the person saw it. */
  basedOn: string;
  now: number;
}

const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Identifies the state of a channel's digest, so that nobody overwrites a change they have not seen. */
export function digestState(
  digest: DigestTimes | null,
  { hygiene }: Pick<ChannelSettings, 'hygiene'>,
): string {
  if (digest === null) return 'off';
  return `${digest.days} ${digest.time} ${digest.zone}${hygiene === true ? ' hygiene' : ''}`;
}

/** `Monday to Friday at 09:00 (Europe/Berlin), with alert hygiene once a week`; plain text. */
export function digestWords(
  { days, time, zone }: DigestTimes,
  { hygiene }: Pick<ChannelSettings, 'hygiene'>,
): string {
  const also = hygiene === true ? ', with alert hygiene once a week' : '';
  return `${daysInWords(days)} at ${time} (${zone})${also}`;
}

/**
 * Stores when a channel gets its digest, with the audit entry and the announcement, in one transaction.
 *
 * @returns `changed_meanwhile` if somebody else changed it in the meantime; nothing is stored then.
 */
export async function setDigest(
  tx: Aggregates,
  { cause, channel, by, times, hygiene, basedOn, now }: DigestChange,
): Promise<'saved' | 'changed_meanwhile'> {
  if ((await tx.outbox.get(announcementKey(cause))) !== null) return 'saved';
  const { settings } = await tx.channels.get(channel);
  const before = digestState(await tx.digests.get(channel), settings);
  if (before !== basedOn) return 'changed_meanwhile';
  const wanted = { hygiene: hygiene ?? settings.hygiene ?? false };
  if (digestState(times, wanted) === before) return 'saved';
  const when = times === null ? null : digestWords(times, wanted);
  if (times === null) await tx.digests.remove(channel);
  else {
    const { days, time, zone } = times;
    await tx.digests.save({ channel, days, time, zone, nextAt: nextDigest(times, now) });
    if (wanted.hygiene !== (settings.hygiene ?? false)) await tx.channels.setHygiene(channel, wanted.hygiene);
  }
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

/** When a digest is due: `days` are `1` to `7` for Monday to Sunday, `time` is `HH:MM` in the IANA zone. */
interface DigestTimes {
  days: string;
  time: string;
  zone: string;
}

const DAY_MS = 24 * 60 * 60_000;

/** Whether this is a known time zone. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
}

/**
 * The first time after `after` (milliseconds) at which the digest is due. A time skipped by a clock change is due as
 * much later as the clock jumps; a repeated one is due the first time.
 *
 * @throws RangeError if no day is given, or the zone is invalid.
 */
export function nextDigest({ days, time, zone }: DigestTimes, after: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = Math.floor(wallClock(after, zone) / DAY_MS) * DAY_MS;
  // Eight days, because today's may have passed.
  for (let day = today; day <= today + 8 * DAY_MS; day += DAY_MS) {
    if (!days.includes(weekday(day))) continue;
    const moment = momentOf(day + (hours * 60 + minutes) * 60_000, zone);
    if (moment > after) return moment;
  }
  throw new RangeError(`A digest needs at least one weekday, 1 to 7, not “${days}”`);
}

/** Whether a digest that was due then, and comes now, is the first of its week: it may be late by days. */
export function isFirstOfWeek({ days, time, zone }: DigestTimes, due: number, now: number): boolean {
  const first = [...days].sort()[0] ?? '';
  return first !== '' && nextDigest({ days: first, time, zone }, due - 1) <= Math.max(due, now);
}

/** `1` for Monday to `7` for Sunday. */
function weekday(wall: number): string {
  return String(new Date(wall).getUTCDay() || 7);
}

/** The moment at which clocks in a zone show `wall`, which is a local time written as if it were UTC. */
function momentOf(wall: number, zone: string): number {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((moment) => wallClock(moment, zone) - moment);
  const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b);
  const shown = candidates.find((moment) => wallClock(moment, zone) === wall);
  return shown ?? wall - (offsets[0] ?? 0);
}
