import type { IssueNumber } from '../../../lib/issue-number.ts';
import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';

/** *Not the same* where there is no repeat (any more). */
export function nothingToTellApart(): Rendered {
  return notice('There is no repeat here that could be told apart: each alert has an issue of its own.');
}

/** *Investigate again* while an investigation runs. */
export function investigatedNow(): Rendered {
  return notice('It is being investigated right now. The results come into this thread.');
}

const reasons = {
  unknown: (n: IssueNumber) => `I filed no issue #${n}. Its number stands on its card.`,
  itself: (n: IssueNumber) => `#${n} is this very issue. Choose another one.`,
  closed: (n: IssueNumber) => `#${n} is not open any more. Reopen it first, or choose another one.`,
  private: (n: IssueNumber) => `#${n} lives in a private channel, and nothing of it may show here.`,
  attached: () => 'This issue is attached to another one already.',
} as const;

/** Why an issue cannot be attached to another. Plain text. */
export function whyNotAttached(reason: keyof typeof reasons, number: IssueNumber): string {
  return reasons[reason](number);
}

/** The same as a message to the person who pressed. */
export function cannotAttach(reason: keyof typeof reasons, number: IssueNumber): Rendered {
  return notice(whyNotAttached(reason, number));
}

function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
