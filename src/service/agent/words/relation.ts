import { amount, duration, joinNames, timeOfDay } from '../../investigation/format.ts';
import { momentOf } from '../moment.ts';
import { isRelated, type Relation } from '../tools/relation.ts';

const MOST_NAMED = 3;

/** Whether it has to do with the issue, and what was compared to say so. */
export function relationInWords(found: Relation, now: number): string {
  const { number, about, compared, departed, isPart } = found;
  const issue = number === null ? 'the trouble' : `#${number}`;
  if (about.length === 0)
    return 'I can’t tell: nothing that telemetry knows is called so. Name a service, or what is measured of it.';
  const named = joinNames(about.slice(0, MOST_NAMED));
  if (departed === null) {
    if (compared === 0) return `I can’t tell: nothing of ${named} has samples since ${issue} began.`;
    const none = `of ${compared} series of ${named}, none departed since ${issue} began`;
    return isPart
      ? `I can’t tell: ${named} is part of what ${issue} is about, and ${none}.`
      : `**No, as far as I see:** ${none}.`;
  }
  const related = isRelated(found);
  const course = courseOf(found, departed, issue, now);
  if (related === null) return `I can’t tell for sure: ${course}`;
  if (!related) return `**No, as far as I see:** ${course}`;
  return isPart
    ? `**Yes:** the results of ${issue} involve ${departed.series.service}. ${course}`
    : `**Probably yes:** ${course}`;
}

function courseOf(
  { onset, path, seesCalls, change }: Relation,
  { series, onset: began, end, now: level, usual }: NonNullable<Relation['departed']>,
  issue: string,
  now: number,
): string {
  const { label, unit } = series.signal;
  const until = end === null ? '' : `, until ${momentOf(end, now)}`;
  const gap = began - onset;
  const order = gap === 0 ? 'as' : `${duration(Math.abs(gap))} ${gap < 0 ? 'before' : 'after'}`;
  const calls =
    path === null
      ? seesCalls
        ? 'nothing that I see connects the two: no calls within two steps'
        : 'no source shows who calls whom'
      : path.length === 1
        ? `${path[0]} is part of what the issue is about`
        : `they are connected by calls: ${path.join(' – ')}`;
  const before = change === null ? '' : ` Just before it: “${change.title}” at ${timeOfDay(change.at)}.`;
  return `${series.instance ?? series.service} ${label} is ${amount(level, unit)} (usually ${amount(usual, unit)}), away from that since ${momentOf(began, now)}${until}, ${order} ${issue} began (${timeOfDay(onset)}); ${calls}.${before}`;
}
