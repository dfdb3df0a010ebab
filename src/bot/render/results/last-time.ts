import type { IssueNumber } from '../../shared/issue-number.ts';
import { literal } from '../escape.ts';

/** What the same alert was found to have, then and now; causes are untrusted. */
export interface LastTimeView {
  was: string | null;
  now: string | null;
  isSame: boolean;
  /** The issue that it was then, if that was another one. */
  number: IssueNumber | null;
}

/** `Same as last time: pool of ledger`; safe mrkdwn. */
export function lastTimeLine({ was, now, isSame, number }: LastTimeView): string {
  const last = number === null ? 'last time' : `last time (#${number})`;
  if (was === null) return `Unlike ${last}, a cause was found.`;
  if (now === null) return `No cause found this time. The cause ${last}: ${literal(was)}`;
  return isSame
    ? `Same as ${last}: ${literal(now)}`
    : `Different from ${last}: ${literal(was)} then, ${literal(now)} now`;
}
