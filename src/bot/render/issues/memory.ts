import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { duration } from '../digest/digest.ts';
import { quoted, userMention } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { inSections, type Rendered } from '../rendered.ts';
import { count } from '../words.ts';
import { issueNumberAndTitle } from './issue-reference.ts';
import { type NoteView, noteLines } from './notes.ts';

const MAX_STEPS = 3;

/** How an earlier issue of the same problem ended; texts are untrusted, times in milliseconds. */
export interface EndingView {
  number: IssueNumber | null;
  title: string;
  url: string | null;
  cause: string | null;
  by: 'rollback' | 'deploy' | 'steps' | 'person' | 'itself';
  steps: readonly { name: string; who: string }[];
  notes: readonly NoteView[];
  /** On its results. */
  votes: { up: number; down: number };
  endedAt: number;
  tookMs: number;
}

/** `Seen 4 times in 60 days; 3 ended by a rollback, median 11 min`, `Seen once in 60 days; ended by a rollback, after 11 min`; `null` for none. */
export function seenLine(endings: readonly Pick<EndingView, 'by' | 'tookMs'>[], days: number): string | null {
  const [only] = endings;
  if (only === undefined) return null;
  if (endings.length === 1)
    return `Seen once in ${days} days; ended ${WAYS[only.by]}, after ${duration(only.tookMs)}`;
  const times = endings.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const median = times[Math.floor((times.length - 1) / 2)] ?? 0;
  const ways = (['rollback', 'deploy', 'steps', 'itself'] as const).flatMap((by) => {
    const n = endings.filter((ending) => ending.by === by).length;
    return n === 0 ? [] : [`${n} ended ${WAYS[by]}`];
  });
  const how = [...ways, `median ${duration(median)}`].join(', ');
  return `Seen ${count(endings.length, 'time')} in ${days} days; ${how}`;
}

/** How an issue ended, after *ended*. */
export const WAYS = {
  rollback: 'by a rollback',
  deploy: 'by a deploy',
  steps: 'by other steps',
  person: 'when somebody resolved it',
  itself: 'without a person (as far as I saw)',
} as const;

/**
 * The earlier issues of the same problem, and what ended each.
 *
 * @param endings all of them, the newest first
 * @param listed the first of them
 * @param repeats how often the issue’s own alert has fired again
 */
export function renderSeen(
  endings: readonly Pick<EndingView, 'by' | 'tookMs'>[],
  listed: readonly EndingView[],
  days: number,
  repeats = 0,
): Rendered {
  const line = seenLine(endings, days);
  if (line === null) {
    const again = repeats === 0 ? '' : ` This one’s own alert has fired again ${count(repeats, 'time')}.`;
    const text = `I know of no other issue in the last ${days} days with this alert or this cause that is over.${again}`;
    return notice(text);
  }
  const more = endings.length - listed.length;
  return fitMessage({
    text: line,
    blocks: inSections([
      `*${line}*`,
      ...listed.map(endingLines),
      ...(more > 0 ? [`… and ${more} more`] : []),
    ]),
  });
}

function endingLines({ by, steps, cause, notes, votes, endedAt, tookMs, ...issue }: EndingView): string {
  const done = steps.map(({ name, who }) => `${quoted(name, 80)} (${userMention(who)})`);
  const did =
    done.length === 0 ? '' : `: ${done.slice(0, MAX_STEPS).join('; ')}${done.length > MAX_STEPS ? ' …' : ''}`;
  const marks = [
    ...(votes.up > 0 ? [`👍 ${votes.up}`] : []),
    ...(votes.down > 0 ? [`👎 ${votes.down}`] : []),
  ];
  return [
    `• ${issueNumberAndTitle(issue)}`,
    ...(cause === null
      ? []
      : [`  _Cause:_ ${quoted(cause, 200)}${marks.length === 0 ? '' : ` · ${marks.join(' ')}`}`]),
    `  Ended ${WAYS[by]}${did} · ${date(endedAt)} · took ${duration(tookMs)}`,
    ...noteLines(notes).map((note) => `  ${note}`),
  ].join('\n');
}

export function memoryOfWhat(): Rendered {
  return notice('Ask that in an issue’s thread, so that I know which one you mean.');
}
