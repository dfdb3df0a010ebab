import { cutAtWord, oneLine } from '../lib/text.ts';
import type { Issue } from '../store/issues.ts';

const MAX_ROOT_CAUSE = 1_000;

/** The first question in an issue's thread carries what the thread is about (DESIGN section 4, *Asking*). */
export function withIssue(
  question: string,
  issue: Pick<Issue, 'number' | 'title' | 'environment' | 'status' | 'service'>,
  rootCause: string | null,
): string {
  const lines = [
    `This is about issue #${issue.number ?? '?'}: ${oneLine(issue.title)}`,
    `Environment: ${issue.environment}. Status: ${issue.status}.${issue.service ? ` Service: ${issue.service}.` : ''}`,
    ...(rootCause ? [`Root cause: ${cutAtWord(oneLine(rootCause), MAX_ROOT_CAUSE)}`] : []),
  ];
  return `${lines.join('\n')}\n\n${question}`;
}
