import type { Findings } from '../../../contract/schema.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { Objective } from '../../telemetry/model.ts';
import { amount, capitalize, duration, timeOfDay } from '../format.ts';
import type { TimeLeft } from '../time-left.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A time of day further ahead could be that of another day. */
const TODAY = 11 * HOUR;
const MOST = 2;
const LONGEST_NAME = 80;

/** Says how long is left, and of which error budget, below the verdict, or after the overview where there is no verdict. */
export function withTimesLeft(
  findings: Findings,
  { left, objectives }: { left: readonly TimeLeft[]; objectives: readonly Objective[] },
  now: number,
): Findings {
  const { rootCause } = findings;
  const words = [
    ...left
      .slice(0, MOST)
      .map(
        (one) =>
          `${capitalize(thingOf(one))} of ${one.series.instance ?? one.series.service} ${timeLeftInWords(one, now)}.`,
      ),
    ...budgetsInWords(objectives, now),
  ];
  if (words.length === 0) return findings;
  const { rootCauseSummary: summary, incidentOverview } = rootCause;
  return {
    ...findings,
    rootCause:
      summary === undefined
        ? { ...rootCause, incidentOverview: [incidentOverview, ...words].join(' ') }
        : { ...rootCause, rootCauseSummary: [summary, words.join(' ')].join('\n') },
  };
}

/**
 * `62% of the error budget of availability (30 days) is left, and used up at about 18:40 UTC, at the rate of the last 5 min.`
 * What is spent no faster than its period allows says nothing of a problem beside one that is.
 */
function budgetsInWords(objectives: readonly Objective[], now: number): string[] {
  const burning = objectives.filter(({ left, burnRate }) => left <= 0 || (burnRate ?? 0) > 1);
  const endOf = ({ left, periodMs, burnRate }: Objective) => now + (left * periodMs) / (burnRate ?? 1);
  return (burning.length > 0 ? burning : objectives)
    .toSorted((a, b) => endOf(a) - endOf(b))
    .slice(0, MOST)
    .map((one) => {
      const { name, left, periodMs, burnRate } = one;
      const which = `the error budget of \`${cutAtWord(oneLine(name), LONGEST_NAME)}\` (${duration(periodMs)})`;
      if (left <= 0) return `${capitalize(which)} is used up: ${amount(1 - left, '1')} of it is spent.`;
      const share = `${amount(left, '1')} of ${which} is left`;
      if (burnRate === null) return `${share}.`;
      if (burnRate <= 1) return `${share}, and is spent no faster than it allows.`;
      const end = endOf(one);
      const step = stepOf(end - now);
      return `${share}, and used up ${when(Math.round(end / step) * step, now, 'about ')}, at the rate of the last 5 min.`;
    });
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
