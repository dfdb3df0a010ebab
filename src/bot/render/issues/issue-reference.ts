import type { IssueNumber } from '../../shared/issue-number.ts';
import { quoted } from '../escape.ts';
import { link } from '../links.ts';
import { statusWords } from '../words.ts';

/** An issue as it is named in a sentence. `title` is untrusted; it and `url` are `null` if they must not be shown. */
export interface IssueReference {
  /** `null` until the service has given it one. */
  number: IssueNumber | null;
  status: string;
  title: string | null;
  url: string | null;
}

const MAX_TITLE = 150;

/** `#12` (`#…` while it has no number), as a link if it may be followed; safe mrkdwn. */
function issueNumber({ number, url }: Pick<IssueReference, 'number' | 'url'>): string {
  const label = `#${number ?? '…'}`;
  return url === null ? label : link(url, label);
}

/** `#12 Checkout is slow`; safe mrkdwn. */
export function issueNumberAndTitle(issue: Omit<IssueReference, 'status'>): string {
  const title = issue.title === null ? '' : ` ${quoted(issue.title, MAX_TITLE)}`;
  return `${issueNumber(issue)}${title}`;
}

/** `#12 Checkout is slow · 🔍 Investigating`; safe mrkdwn. */
export function issueLine(issue: IssueReference): string {
  return `${issueNumberAndTitle(issue)} · ${statusWords(issue.status)}`;
}
