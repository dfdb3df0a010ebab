import { createHash } from 'node:crypto';

const PREFIX = 'gumshoe-';

/** Our id of an issue, derived from what caused it: the same cause always gives the same issue. */
export function issueIdOf(...cause: string[]): string {
  return createHash('sha256').update(cause.join('\n')).digest('hex').slice(0, 20);
}

/** By this an issue is found again at the service, which has no idempotency key (DESIGN section 5, *Issues*). */
export function referenceOf(issueId: string): string {
  return `${PREFIX}${issueId}`;
}

/** The description with the lines that lead back to Slack at its end. */
export function withReference(description: string, issueId: string, permalink: string | null): string {
  const lines = [...(permalink ? [`Slack: ${permalink}`] : []), `Reference: ${referenceOf(issueId)}`];
  return `${description.trim()}\n\n---\n${lines.join('\n')}`;
}
