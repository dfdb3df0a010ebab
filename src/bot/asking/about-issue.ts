import { cutAtWord, oneLine } from '../../lib/text.ts';
import type { Issue } from '../store/issues.ts';

const MAX_ROOT_CAUSE = 1_000;

/** What the agent is told of the issue that a thread is about (DESIGN section 4, *Asking*). */
export function aboutIssue(
  issue: Pick<Issue, 'number' | 'title' | 'environment' | 'status' | 'service'>,
  rootCause: string | null,
): string {
  const service = issue.service ? ` Service: ${oneLine(issue.service)}.` : '';
  return [
    `This is about issue #${issue.number ?? '?'}: ${oneLine(issue.title)}`,
    `Environment: ${oneLine(issue.environment)}. Status: ${oneLine(issue.status)}.${service}`,
    ...(rootCause ? [`Root cause: ${cutAtWord(oneLine(rootCause), MAX_ROOT_CAUSE)}`] : []),
  ].join('\n');
}
