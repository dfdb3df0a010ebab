import { fitMessage } from '../fit.ts';
import { type IssueReference, issueLine } from '../issues/issue-reference.ts';
import { type Rendered, section } from '../rendered.ts';

/** For somebody who asks to file an alert that already has an issue. */
export function alreadyFiled(issue: IssueReference): Rendered {
  const text = `Already filed: ${issueLine(issue)}`;
  return fitMessage({ text, blocks: [section(text)] });
}

/** A message that Slack does not show us. */
export function cannotReadMessage(): Rendered {
  const text = 'I cannot read this message: it was deleted, or it is in a channel I am not in.';
  return fitMessage({ text, blocks: [section(text)] });
}

/** Slack has us wait before it shows more messages. */
export function slackIsBusy(waitMs: number): Rendered {
  const text = `Slack is rate-limiting me. Try again in ${Math.ceil(waitMs / 1000)} seconds.`;
  return fitMessage({ text, blocks: [section(text)] });
}

export function messageOfOurs(): Rendered {
  const text = 'That is one of my own messages. Pick an alert or somebody’s report.';
  return fitMessage({ text, blocks: [section(text)] });
}
