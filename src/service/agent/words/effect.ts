import { capitalize, duration, joinNames, measured, timeOfDay } from '../../investigation/format.ts';
import type { Change } from '../../telemetry/model.ts';
import { cannotTell, type Found } from '../tool.ts';
import type { Effect } from '../tools/effect.ts';
import { levelInWords, statusInWords, unmeasured } from './course.ts';

/** That a verdict is of before a change which has not ended it. */
export function overtakenInWords({ title, at }: Pick<Change, 'title' | 'at'>): string {
  return `The verdict below is from before “${title}” at ${timeOfDay(at)}. It is failing all the same, so it may be something else now: investigate again.`;
}

/** Whether what was done helped, by the levels before and after it. */
export function effectInWords({ is, unseen, change, since, levels, course }: Effect): Omit<Found, 'data'> {
  const { state, services, now } = course;
  if (course.levels.length === 0) return cannotTell(unmeasured(course));
  const status = statusInWords(course);
  if (change === null)
    return cannotTell(
      `I can’t tell what helped: I see no rollback or other change in ${joinNames([...services])} after ${timeOfDay(since)}. ${status}`,
    );
  const when = `“${change.title}” at ${timeOfDay(change.at)}`;
  if (is === 'early') {
    const more = state.is === 'settling' ? '' : ` ${status}`;
    return cannotTell(
      `I can’t tell yet: it is too early. ${capitalize(when)} was ${duration(now - change.at)} ago.${more}`,
    );
  }
  if (is === 'unmeasured' || is === 'none')
    return cannotTell(`I can’t tell: no metric has samples on both sides of ${when}. ${status}`);
  const first = unseen === null ? '' : `I see no ${unseen}. `;
  const isOver = levels.length === 0 && state.is === 'over';
  const lines = isOver
    ? course.levels.slice(0, 2).map((one) => `- ${levelInWords(one)}`)
    : levels.map(({ service, label, usual, before, after, window, ...scale }) => {
        const normally = usual === null ? '' : ` (normally ${measured(usual, scale)})`;
        return `- ${service} ${label}: ${measured(before, scale)} in the 10 min before, ${measured(after, scale)} from ${timeOfDay(window.from)} to ${timeOfDay(window.to)}${normally}`;
      });
  const head = isOver
    ? `It has been over since ${timeOfDay(state.since)}, after ${when}:`
    : `Before and after ${when}:`;
  return {
    says:
      unseen !== null
        ? null
        : is === 'in_part'
          ? { relation: 'helped', holds: null, text: 'In part.' }
          : { relation: 'helped', holds: is === 'helped' },
    text: [`${first}${head}`, '', ...lines].join('\n'),
  };
}
