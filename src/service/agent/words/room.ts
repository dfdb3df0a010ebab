import { amount, duration } from '../../investigation/format.ts';
import { thingOf, timeLeftInWords } from '../../investigation/words/time-left.ts';
import { momentOf } from '../moment.ts';
import type { Room } from '../tools/room.ts';

const MOST_SHOWN = 8;

/** How much room each has, a line each; whether it lasts until a moment comes first, where that is asked. */
export function roomInWords(all: readonly Room[], until: number | null, now: number): string {
  const shown = all.slice(0, MOST_SHOWN).map((one) => `- **${one.about}**: ${courseOf(one, now)}`);
  const more = all.length > shown.length ? [`- … and ${all.length - shown.length} more`] : [];
  return [...(until === null ? [] : [untilInWords(all, until, now)]), ...shown, ...more].join('\n');
}

function untilInWords(all: readonly Room[], until: number, now: number): string {
  const out = all.filter(({ left }) => left !== null && left.end !== 'drained' && left.at <= until);
  const moment = momentOf(until, now);
  const of = all.length === 1 ? all[0]?.about : `${out.length === 0 ? 'None' : out.length} of ${all.length}`;
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
    measure === 'queue' || limit === null
      ? amount(level, unit)
      : unit === '1'
        ? `${amount(level, unit)} full`
        : `${amount(level, unit)} of ${amount(limit, unit)} (${amount(level / limit, '1')})`;
  return `${state}, ${paceInWords(measure, perMinute, unit)}`;
}

function paceInWords(measure: Room['measure'], perMinute: number | null, unit: string): string {
  if (perMinute === null) return 'too few samples to tell the trend';
  const [pace, per] =
    Math.abs(perMinute) * 60 < 1 || unit === '1' ? [perMinute * 60, 'an hour'] : [perMinute, 'a minute'];
  const least = unit === '1' ? 0.0005 : 0.5;
  if (Math.abs(pace) < least) return 'and not changing';
  if (pace < 0) return `falling by ${amount(-pace, unit)} ${per}`;
  const end =
    measure === 'queue' ? ': at that rate it never empties' : ', and at that rate not full within a day';
  return `growing by ${amount(pace, unit)} ${per}${end}`;
}
