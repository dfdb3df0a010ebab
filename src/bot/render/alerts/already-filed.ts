import { notice } from '../fit.ts';
import { type IssueReference, issueLine } from '../issues/issue-reference.ts';
import type { Rendered } from '../rendered.ts';

/** For somebody who asks to file an alert that already has an issue. */
export function alreadyFiled(issue: IssueReference): Rendered {
  return notice(`Already filed: ${issueLine(issue)}`);
}

export function cannotReadMessage(): Rendered {
  return notice('I cannot read this message: it was deleted, or it is in a channel I am not in.');
}

export function slackIsBusy(waitMs: number): Rendered {
  return notice(`Slack is rate-limiting me. Try again in ${Math.ceil(waitMs / 1000)} seconds.`);
}

export function messageOfOurs(): Rendered {
  return notice('That is one of my own messages. Pick an alert or somebody’s report.');
}
