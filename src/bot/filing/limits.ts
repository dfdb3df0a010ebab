import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Hold } from '../store/holds.ts';
import type { Reason } from '../store/reasons.ts';
import type { DecideOptions } from './occurrence.ts';

export const MINUTE_MS = 60_000;
/** This many alerts within a minute are a storm, whatever the channel's budget. */
export const STORM = 10;

type Limits = Pick<DecideOptions, 'maxIssuesPerDay'>;

export interface IssueCounts {
  problemsInMinute: number;
  filedInWindow: number;
  filedInDay: number;
}

/** How many more new issues each limit has room for: a storm of problems, the channel's budget, the day's limit. */
export function roomOf(
  counts: IssueCounts,
  { budget }: ChannelSettings,
  { maxIssuesPerDay }: Limits,
): (readonly [limit: 'storm' | 'budget' | 'day', room: number])[] {
  return [
    ['storm', STORM - counts.problemsInMinute],
    ['budget', budget.issues - counts.filedInWindow],
    ['day', maxIssuesPerDay - counts.filedInDay],
  ];
}

/** Why one more new issue would be too many; `null` if it would not be. */
export function throttled(...what: Parameters<typeof roomOf>): 'storm' | 'budget' | 'day' | null {
  return roomOf(...what).find(([, room]) => room <= 0)?.[0] ?? null;
}

export function heldReason(
  by: Hold['reason'] | 'same',
  { budget }: ChannelSettings,
  { maxIssuesPerDay }: Limits,
  isOver: boolean,
): Reason {
  const limits = {
    storm: STORM,
    budget: budget.issues,
    day: maxIssuesPerDay,
    paused: null,
    planned: null,
    same: null,
  };
  return { code: 'held', by, isOver, limit: limits[by], minutes: by === 'budget' ? budget.minutes : null };
}
