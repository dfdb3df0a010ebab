import { amount, duration, joinNames, timeOfDay } from '../../investigation/format.ts';
import { momentOf } from '../moment.ts';
import type { Together } from '../tools/together.ts';

const MINUTE = 60_000;
/** What begins so close together began together, as far as samples tell. */
const TOGETHER = 10 * MINUTE;
const APART = 20 * MINUTE;
const MOST_NAMED = 3;

/** Whether it has to do with the issue, and what was compared to say so. `holds` is `null` where that does not tell. */
export function togetherInWords(found: Together, now: number): { text: string; holds: boolean | null } {
  const { number, onset, about, departed, isPart, path, seesCalls, change } = found;
  const name = number === null ? 'the trouble' : `#${number}`;
  if (about.length === 0)
    return {
      text: `I can’t tell: nothing that telemetry knows is called so. Name a service, or what is measured of it.`,
      holds: null,
    };
  const named = joinNames(about.slice(0, MOST_NAMED));
  if (departed === null)
    return {
      text: isPart
        ? `I can’t tell: ${named} is part of what ${name} is about, and nothing of it departs from what is usual now.`
        : `**No, as far as I see:** nothing of ${named} departs from what is usual now.`,
      holds: isPart ? null : false,
    };
  const { series, usual } = departed;
  const { label, unit } = series.signal;
  const what = `${series.instance ?? series.service} ${label}`;
  const course = `${what} is ${amount(departed.now, unit)} (usually ${amount(usual, unit)}) since ${momentOf(departed.onset, now)}`;
  const gap = departed.onset - onset;
  const order = `${gap === 0 ? 'as' : `${duration(Math.abs(gap))} ${gap < 0 ? 'before' : 'after'}`} ${name} began (${timeOfDay(onset)})`;
  const calls =
    path === null
      ? seesCalls
        ? `nothing that I see connects the two: no calls within two steps`
        : 'no source shows who calls whom'
      : path.length === 1
        ? `${path[0]} is part of what the issue is about`
        : `they are connected by calls: ${path.join(' – ')}`;
  const before = change === null ? '' : ` Just before it: “${change.title}” at ${timeOfDay(change.at)}.`;
  const compared = `${course}, ${order}; ${calls}.${before}`;
  if (isPart && Math.abs(gap) <= APART)
    return { text: `**Yes:** the results of ${name} involve ${series.service}. ${compared}`, holds: true };
  if (path !== null && Math.abs(gap) <= TOGETHER)
    return { text: `**Probably yes:** ${compared}`, holds: true };
  if (path === null && seesCalls && Math.abs(gap) > APART)
    return { text: `**No, as far as I see:** ${compared}`, holds: false };
  return { text: `I can’t tell for sure: ${compared}`, holds: null };
}
