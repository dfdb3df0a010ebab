import type { IssueNumber } from '../../shared/issue-number.ts';
import { notice } from '../fit.ts';
import type { Rendered } from '../rendered.ts';

export function nothingToSplit(): Rendered {
  return notice('There is nothing to split off: this issue has no repeats.');
}

/** *Investigate again* while an investigation runs. */
export function investigatedNow(): Rendered {
  return notice('It is already being investigated. Results will be posted in this thread.');
}

const reasons = {
  unknown: (n: IssueNumber) => `I did not file an issue #${n}. The number is on its card.`,
  itself: (n: IssueNumber) => `#${n} is this issue. Pick another one.`,
  closed: (n: IssueNumber) => `#${n} is closed. Reopen it first, or pick another one.`,
  private: (n: IssueNumber) => `#${n} belongs to a private channel and cannot be shown here.`,
  attached: () => 'This issue is already attached to another one.',
} as const;

/** Why an issue cannot be attached to another. Plain text. */
export function whyNotAttached(reason: keyof typeof reasons, number: IssueNumber): string {
  return reasons[reason](number);
}

/** The same as a message to the person who pressed. */
export function cannotAttach(reason: keyof typeof reasons, number: IssueNumber): Rendered {
  return notice(whyNotAttached(reason, number));
}
