import { duration, joinNames, level, timeOfDay } from '../../investigation/format.ts';
import { momentOf } from '../moment.ts';
import { cannotTell, type Found } from '../tool.ts';
import { isRelated, type Relation } from '../tools/relation.ts';

const MOST_NAMED = 3;

/** Whether it has to do with the issue, and what was compared to say so. */
export function relationInWords(found: Relation, now: number): Omit<Found, 'data'> {
  const { number, about, compared, departed, isPart } = found;
  const issue = number === null ? 'the problem' : `#${number}`;
  if (about.length === 0)
    return cannotTell(
      'I can’t tell: no service or metric here has that name. Name a service or one of its metrics.',
    );
  const named = joinNames(about.slice(0, MOST_NAMED));
  if (departed === null) {
    if (compared === 0) return cannotTell(`I can’t tell: ${named} has no samples since ${issue} began.`);
    const none = noneOf(found, issue);
    return isPart
      ? said(null, `${named} is part of what ${issue} is about. ${none}`, 'I can’t tell.')
      : said(false, none);
  }
  const holds = isRelated(found);
  const course = courseOf(found, departed, issue, now);
  return isPart && holds === true
    ? said(true, `The results of ${issue} involve ${departed.series.service}. ${course}`, '**Yes.**')
    : said(holds, course);
}

const SURE = {
  true: '**Probably yes.**',
  false: '**No, as far as I can see.**',
  null: 'I can’t tell for sure.',
};

function said(holds: boolean | null, text: string, says = SURE[`${holds}`]): Omit<Found, 'data'> {
  return { says: { relation: 'related', holds, text: says }, text };
}

/** What was compared, and what of it is out of its usual range; `null` for nothing. */
export function seenInWords(found: Relation, now: number): string | null {
  const issue = found.number === null ? 'the problem' : `#${found.number}`;
  if (found.compared === 0) return null;
  const { departed } = found;
  return departed === null ? noneOf(found, issue) : courseOf(found, departed, issue, now);
}

function noneOf({ about, compared }: Relation, issue: string): string {
  const named = joinNames(about.slice(0, MOST_NAMED));
  return compared === 1
    ? `The one series of ${named} has not left its usual range since ${issue} began.`
    : `None of the ${compared} series of ${named} has left its usual range since ${issue} began.`;
}

function courseOf(
  { onset, path, seesCalls, change }: Relation,
  { series, onset: began, end, now: current, usual }: NonNullable<Relation['departed']>,
  issue: string,
  now: number,
): string {
  const { label, unit } = series.signal;
  const bare = (value: number) => level(label, value, { unit }).slice(label.length + 1);
  const until = end === null ? '' : `, until ${momentOf(end, now)}`;
  const gap = began - onset;
  const order = gap === 0 ? 'as' : `${duration(Math.abs(gap))} ${gap < 0 ? 'before' : 'after'}`;
  const calls =
    path === null
      ? seesCalls
        ? 'no call path of one or two hops that I can see connects the two'
        : 'no source of telemetry shows which service calls which'
      : path.length === 1
        ? `${path[0]} is part of what the issue is about`
        : `call path between them: ${path.join(' – ')}`;
  const before = change === null ? '' : ` Just before it: “${change.title}” at ${timeOfDay(change.at)}.`;
  return `${series.instance ?? series.service} ${label} is ${bare(current)} (usually ${bare(usual)}), outside its usual range since ${momentOf(began, now)}${until}, ${order} ${issue} began (${timeOfDay(onset)}); ${calls}.${before}`;
}
