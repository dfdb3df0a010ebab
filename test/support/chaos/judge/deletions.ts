import type { Ledger } from '../ledger.ts';
import type { OwnMessage } from '../read-state.ts';
import type { Difference, Judge } from './difference.ts';

/** What is deleted is gone at the service, its card says so, and who did it is kept once. */
export const judgeDeletions: Judge = (
  { issues, issuesAtService, audit, messages },
  { deleted, mayBreakOff },
) =>
  deleted.flatMap(({ issueId, certainty, at }): Difference[] => {
    const issue = issues.find(({ id }) => id === issueId);
    if (issue === undefined) return [{ at, what: `issue ${issueId} was deleted, and nothing says so` }];
    const isThere = issuesAtService.some(({ uuid }) => uuid === issue.uuid);
    const isUndone = issue.state === 'created' && isThere;
    if (isUndone && (certainty === 'at most once' || mayBreakOff === true)) return [];
    const name = `the deletion of ${issue.title} (${certainty})`;
    const rows = audit.filter(({ issue_id, what }) => issue_id === issueId && what === 'deleted it').length;
    const card = messages.find(({ key }) => key === `card:${issueId}#0`);
    const wrong = [
      ...(isThere ? [`${name} left it at the service`] : []),
      ...(issue.state === 'gone' ? [] : [`${name} left it ${issue.state} here`]),
      ...(rows === 1 ? [] : [`${name} is in the audit ${rows} times`]),
      ...(card && isDeletionNotice(card) ? [] : [`${name} is not on its card`]),
    ];
    return wrong.map((what) => ({ at, what }));
  });

function isDeletionNotice({ text, blocks }: OwnMessage): boolean {
  return /🗑️ Deleted/u.test(`${text} ${JSON.stringify(blocks)}`);
}

/** `<channel>:<ts>` of the threads whose issue was deleted: all that was asked there went with it. */
export function threadsErased({ problems }: Ledger): Set<string> {
  const deleted = problems.filter((problem) => problem.deleted);
  return new Set(deleted.flatMap(({ posts: said }) => said.map(({ channel, ts }) => `${channel}:${ts}`)));
}
