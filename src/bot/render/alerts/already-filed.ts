import { fitMessage } from '../fit.ts';
import { type IssueReference, issueLine } from '../issues/issue-reference.ts';
import { type Rendered, section } from '../rendered.ts';

/** To somebody who asks to file what an issue has already. */
export function alreadyFiled(issue: IssueReference): Rendered {
  const text = `This is filed already: ${issueLine(issue)}`;
  return fitMessage({ text, blocks: [section(text)] });
}

/** A message that Slack does not show us. */
export function cannotReadMessage(): Rendered {
  const text = 'I cannot read this message. It may be deleted, or it stands in a channel that I am not in.';
  return fitMessage({ text, blocks: [section(text)] });
}

/** Slack has us wait before it shows more messages. */
export function slackIsBusy(waitMs: number): Rendered {
  const text = `Slack asks me to read less for a while. Please try again in ${Math.ceil(waitMs / 1000)} seconds.`;
  return fitMessage({ text, blocks: [section(text)] });
}

/** A shortcut on a message of our own. */
export function messageOfOurs(): Rendered {
  const text = 'This message is mine. Choose the alert, or somebody’s report, that is to be investigated.';
  return fitMessage({ text, blocks: [section(text)] });
}
