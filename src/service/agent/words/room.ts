import { amount, duration } from '../../investigation/format.ts';
import { thingOf, timeLeftInWords } from '../../investigation/words/time-left.ts';
import { momentOf } from '../moment.ts';
import type { Room } from '../tools/room.ts';

const MOST_SHOWN = 8;

/** How much room each has, a line each; whether it lasts until a moment comes first, where that is asked. */
export function roomInWords(all: readonly Room[], until: number | null, now: number): string {
  const then = (one: Room) => (until === null ? [] : thenInWords(one, until, now));
  const shown = all
    .slice(0, MOST_SHOWN)
    .map((one) => `- **${one.about}**: ${[courseOf(one, now), ...then(one)].join('; ')}`);
  const more = all.length > shown.length ? [`- … and ${all.length - shown.length} more`] : [];
  const isOfBacklogs = all.every(({ measure }) => isBacklog(measure));
  return [...(until === null || isOfBacklogs ? [] : [untilInWords(all, until, now)]), ...shown, ...more].join(
    '\n',
  );
}

function untilInWords(all: readonly Room[], until: number, now: number): string {
  const out = all.filter(({ left }) => left !== null && left.end !== 'drained' && left.at <= until);
  const moment = momentOf(until, now);
  const of =
    all.length === 1 ? all[0]?.about : `${out.length === 0 ? 'None' : out.length} of the ${all.length}`;
  return out.length > 0 || all.length > 1
    ? `**${of} ${out.length > 1 ? 'run' : 'runs'} out before ${moment}** at this rate:`
    : `**${of} does not run out before ${moment}** at this rate:`;
}

function courseOf({ measure, series, now: level, limit, perMinute, left }: Room, now: number): string {
  const { unit } = series.signal;
  if (measure === 'certificate') {
    const at = new Date(now + level * 1000).toISOString().slice(0, 10);
    return level <= 0 ? `expired on ${at}` : `expires in ${duration(level * 1000)} (${at})`;
  }
  if (left !== null) return `${thingOf(left)} ${timeLeftInWords(left, now)}`;
  const state =
    isBacklog(measure) || limit === null
      ? amount(level, unit)
      : unit === '1'
        ? `${amount(level, unit)} full`
        : `${amount(level, unit)} of ${amount(limit, unit)} (${amount(level / limit, '1')})`;
  const most = limit ?? (unit === '1' ? 1 : null);
  return `${state}, ${paceInWords(measure, perMinute, unit, most === null ? null : most - level)}`;
}

/** How much of a backlog there will be. */
function thenInWords({ measure, series, now: level, perMinute }: Room, until: number, now: number): string[] {
  if (!isBacklog(measure) || perMinute === null || until <= now) return [];
  const then = Math.max(0, level + (perMinute * (until - now)) / 60_000);
  return [`about ${amount(then, series.signal.unit)} at ${momentOf(until, now)}`];
}

function isBacklog(measure: Room['measure']): boolean {
  return measure === 'queue' || measure === 'lag';
}

function paceInWords(
  measure: Room['measure'],
  perMinute: number | null,
  unit: string,
  room: number | null,
): string {
  if (perMinute === null) return 'too few samples to tell the trend';
  const [pace, per] =
    Math.abs(perMinute) * 60 < 1 || unit === '1' ? [perMinute * 60, 'an hour'] : [perMinute, 'a minute'];
  const least = unit === '1' ? 0.0005 : 0.5;
  if (Math.abs(pace) < least) return 'and not changing';
  if (pace < 0) return `falling by ${amount(-pace, unit)} ${per}`;
  const end = isBacklog(measure)
    ? ': at that rate it never empties'
    : room === null
      ? ', and at that rate not full within a day'
      : `: full in ${duration((room / perMinute) * 60_000)} at that rate`;
  return `growing by ${amount(pace, unit)} ${per}${end}`;
}
