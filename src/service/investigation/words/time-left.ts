import type { Findings } from '../../../contract/schema.ts';
import { amount, capitalize, duration, timeOfDay } from '../format.ts';
import type { TimeLeft } from '../time-left.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A time of day further ahead could be that of another day. */
const TODAY = 11 * HOUR;
const MOST = 2;

/** Says how long is left, below the verdict, or after the overview where there is no verdict. */
export function withTimesLeft(findings: Findings, all: readonly TimeLeft[], now: number): Findings {
  if (all.length === 0) return findings;
  const { rootCause } = findings;
  const words = all
    .slice(0, MOST)
    .map(
      (one) =>
        `${capitalize(thingOf(one))} of ${one.series.instance ?? one.series.service} ${timeLeftInWords(one, now)}.`,
    );
  const { rootCauseSummary: summary, incidentOverview } = rootCause;
  return {
    ...findings,
    rootCause:
      summary === undefined
        ? { ...rootCause, incidentOverview: [incidentOverview, ...words].join(' ') }
        : { ...rootCause, rootCauseSummary: [summary, words.join(' ')].join('\n') },
  };
}

/** What it is: `the disk`. */
export function thingOf({ series: { signal } }: TimeLeft): string {
  const things: Partial<Record<typeof signal.measure, string>> = {
    disk: 'the disk',
    memory: 'memory',
    certificate: 'the certificate',
    connections: 'the connection limit',
    queue: 'the queue',
  };
  return things[signal.measure] ?? signal.label;
}

/** `is 82% full, and full at about 07:40 UTC, between 07:30 UTC and 08:00 UTC, at the rate of the last 30 min`. */
export function timeLeftInWords(left: TimeLeft, now: number): string {
  const { series, end, at, earliest, latest, limit, seenMs } = left;
  const level = left.now;
  if (seenMs === null) return at <= now ? 'has expired' : `expires ${when(at, now)}`;
  const { unit, measure } = series.signal;
  const state =
    end === 'full'
      ? measure === 'connections'
        ? `is used to ${amount(level / limit, '1')}, and used up`
        : `is ${amount(level / limit, '1')} full, and full`
      : `has ${amount(level, unit)}, and is empty`;
  const step = stepOf(at - now);
  const [from, to] = [Math.floor(earliest / step) * step, Math.ceil(latest / step) * step];
  const about = Math.round(at / step) * step;
  const between =
    to - from <= step || at - now > TODAY || latest - now > TODAY
      ? ''
      : `, between ${timeOfDay(from)} and ${timeOfDay(to)}`;
  return `${state} ${when(about, now, 'about ')}${between}, at the rate of the last ${duration(seenMs)}`;
}

function when(at: number, now: number, about = ''): string {
  return at - now > TODAY ? `in ${about}${duration(at - now)}` : `at ${about}${timeOfDay(at)}`;
}

/** To what a time is rounded: nobody reads a minute ten hours ahead. */
function stepOf(left: number): number {
  return left < 30 * MINUTE ? MINUTE : left < 3 * HOUR ? 5 * MINUTE : 10 * MINUTE;
}
