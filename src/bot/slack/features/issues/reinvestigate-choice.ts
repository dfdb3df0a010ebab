import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { changeStatus, statusChanges } from '../../../issues/change-status.ts';
import { investigatedNow } from '../../../render/alerts/split-issue-notices.ts';
import { overtaken, serviceFailure } from '../../../render/notices.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import type { IssueActionContext } from '../../listening/on-issue-action.ts';
import { takeInOrder } from '../../listening/out-of-order.ts';
import { tellPerson } from '../../listening/tell.ts';

/** *Investigate again*, once the last investigation is over: the service starts the issue's next version. */
export function investigateAgain(context: IssueActionContext, deps: ListenerDeps): Promise<void> {
  return deps.inTurn(`issue ${context.issue.number}`, () => againInTurn(context, deps));
}

async function againInTurn(
  { issue: shownIssue, userId, cause, moment, respond }: IssueActionContext,
  deps: ListenerDeps,
): Promise<void> {
  // Another press may have started one while this one was waiting.
  const issue = (await deps.store.issues.get(shownIssue.id)) ?? shownIssue;
  if (issue.uuid === null || issue.state !== 'created') return;
  const { did } = statusChanges.investigateAgain;
  const act = { uuid: issue.uuid, issueId: issue.id, who: userId, what: did, ...moment };
  const later = await takeInOrder(act, deps);
  if (later !== null) return tellPerson(respond, overtaken(later), deps);
  const isUnderWay = issue.endedVersion < issue.version;
  // When retried after a crash, this very press may have started the investigation.
  if (isUnderWay && !(await deps.store.changes.isBegun(cause))) {
    return tellPerson(respond, investigatedNow(), deps);
  }
  try {
    await changeStatus({ ...issue, uuid: issue.uuid }, 'investigateAgain', { who: userId, cause }, deps);
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id }, 'could not start another investigation');
    await tellPerson(respond, serviceFailure(explainServiceError(error)), deps);
  }
}
