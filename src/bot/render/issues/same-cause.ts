import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { issueNumberAndTitle } from './issue-reference.ts';

/** The issue whose results say the same; its title is untrusted. */
export interface SameCauseView {
  number: IssueNumber | null;
  title: string;
  /** A link to its thread. */
  url: string | null;
  /** In milliseconds; `null` while it is open. */
  resolvedAt: number | null;
}

const MAX_OTHERS = 10;

/** `Same cause as #1 Payments fail`; safe mrkdwn. */
export function sameCauseLine(same: SameCauseView): string {
  const line = `Same cause as ${issueNumberAndTitle(same)}`;
  return same.resolvedAt === null
    ? line
    : `${line}, which was resolved ${date(same.resolvedAt)}. Resolve this one too once its alert is over.`;
}

/** On the card of the issue that was investigated first. */
export function sameCauseOthers(others: readonly IssueNumber[]): string | null {
  if (others.length === 0) return null;
  const named = others.slice(0, MAX_OTHERS).map((number) => `#${number}`);
  const more = others.length - named.length;
  return `Same cause: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
