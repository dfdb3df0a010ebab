import { displayName } from '../../../../lib/display-name.ts';
import { issueNumber } from '../../../../lib/issue-number.ts';
import type { IssueReference } from '../../../render/issues/issue-reference.ts';
import type { Issue } from '../../../store/issues.ts';
import type { ListenerDeps } from '../../listening/deps.ts';

/**
 * An issue as it may be referred to in a channel. If it lives in another, private channel, that is only its number and
 * status (DESIGN section 4, *Filing*).
 */
export async function issueReference(
  issue: Issue,
  channel: string,
  { store, permalink }: Pick<ListenerDeps, 'store' | 'permalink'>,
): Promise<IssueReference> {
  const isElsewhere = issue.channel !== channel;
  const isHidden = isElsewhere && (await store.channels.get(issue.channel)).isPrivate;
  return {
    number: issueNumber(issue),
    status: issue.state === 'created' ? issue.status : instead[issue.state],
    title: isHidden ? null : displayName(issue),
    url: isHidden || issue.threadTs === null ? null : permalink(issue.channel, issue.threadTs),
  };
}

const instead = { pending: 'filing', failed: 'failed', gone: 'deleted' } as const;
