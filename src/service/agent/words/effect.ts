import { capitalize, duration, joinNames, measured, timeOfDay } from '../../investigation/format.ts';
import type { Change } from '../../telemetry/model.ts';
import type { Effect } from '../tools/effect.ts';
import { levelInWords, statusInWords, unmeasured } from './course.ts';

const VERDICTS = { helped: '**Yes.**', in_part: '**In part.**', did_not: '**No.**' } as const;

/** That a verdict is of before a change which has not ended it. */
export function overtakenInWords({ title, at }: Pick<Change, 'title' | 'at'>): string {
  return `The verdict below is from before “${title}” at ${timeOfDay(at)}. It is failing all the same, so it may be something else now: investigate again.`;
}

/** Whether what was done helped, by the levels before and after it. */
export function effectInWords({ is, unseen, change, since, levels, course }: Effect): string {
  const { state, services, now } = course;
  if (course.levels.length === 0) return unmeasured(course);
  const status = statusInWords(course, null);
  if (change === null)
    return `I can’t tell what helped: I see no rollback or other change in ${joinNames([...services])} after ${timeOfDay(since)}. ${status}`;
  const when = `“${change.title}” at ${timeOfDay(change.at)}`;
  if (is === 'early') {
    const more = state.is === 'settling' ? '' : ` ${status}`;
    return `I can’t tell yet: it is too early. ${capitalize(when)} was ${duration(now - change.at)} ago.${more}`;
  }
  if (is === 'unmeasured' || is === 'none')
    return `I can’t tell: no metric has samples on both sides of ${when}. ${status}`;
  const first = unseen === null ? VERDICTS[is] : `I see no ${unseen}.`;
  if (levels.length === 0 && state.is === 'over')
    return [
      `${first} It has been over since ${timeOfDay(state.since)}, after ${when}:`,
      '',
      ...course.levels.slice(0, 2).map((one) => `- ${levelInWords(one)}`),
    ].join('\n');
  return [
    `${first} Before and after ${when}:`,
    '',
    ...levels.map(({ service, label, usual, before, after, window, ...scale }) => {
      const normally = usual === null ? '' : ` (normally ${measured(usual, scale)})`;
      return `- ${service} ${label}: ${measured(before, scale)} in the 10 min before, ${measured(after, scale)} from ${timeOfDay(window.from)} to ${timeOfDay(window.to)}${normally}`;
    }),
  ].join('\n');
}
