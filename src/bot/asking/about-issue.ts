import { cutAtWord, oneLine } from '../../lib/text.ts';
import type { Issue } from '../store/issues.ts';

const MAX_ROOT_CAUSE = 1_000;

/**
 * What the agent is told of the issue that a thread is about (DESIGN section 4, *Asking*).
 *
 * @param how the words before its number, where the thread is about something else
 */
export function aboutIssue(
  issue: Pick<Issue, 'number' | 'title' | 'environment' | 'status' | 'service'>,
  rootCause: string | null,
  how = 'This is about',
): string {
  const service = issue.service ? ` Service: ${oneLine(issue.service)}.` : '';
  return [
    `${how} issue #${issue.number ?? '?'}: ${oneLine(issue.title)}`,
    `Environment: ${oneLine(issue.environment)}. Status: ${oneLine(issue.status)}.${service}`,
    ...(rootCause ? [`Root cause: ${cutAtWord(oneLine(rootCause), MAX_ROOT_CAUSE)}`] : []),
  ].join('\n');
}
