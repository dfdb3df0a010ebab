import { fitMessage } from '../fit.ts';
import type { NoticeIssue } from '../notices.ts';
import { type Rendered, section } from '../rendered.ts';
import { SIMULATED } from '../words.ts';

/** Said in an issue's thread when somebody pressed *Ask*: from then on replies there are questions. */
export function askHere(issue: NoticeIssue): Rendered {
  const simulated = issue.simulated ? `${SIMULATED}. ` : '';
  const text = `${simulated}Ask me anything about issue #${issue.number}: reply in this thread.`;
  return fitMessage({ text, blocks: [section(text)] });
}
