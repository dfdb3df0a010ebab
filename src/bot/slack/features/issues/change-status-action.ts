import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { changeStatus, type StatusChange, statusChanges } from '../../../issues/change-status.ts';
import { overtaken, serviceFailure } from '../../../render/notices.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { type IssueActionContext, onIssueAction } from '../../listening/on-issue-action.ts';
import { takeInOrder } from '../../listening/out-of-order.ts';
import { tellPerson } from '../../listening/tell.ts';

/** *Resolve*, *Mute* and *Reopen* on a card. */
function changing(change: StatusChange) {
  return async (context: IssueActionContext, deps: ListenerDeps): Promise<void> => {
    await deps.inTurn(`issue ${context.issue.number}`, () => changeInTurn(change, context, deps));
  };
}

async function changeInTurn(
  change: StatusChange,
  { issue, userId, cause, moment, respond }: IssueActionContext,
  deps: ListenerDeps,
): Promise<void> {
  if (issue.uuid === null) return;
  const { did } = statusChanges[change];
  const act = { uuid: issue.uuid, issueId: issue.id, who: userId, what: did, ...moment };
  const later = await takeInOrder(act, deps);
  if (later !== null) return tellPerson(respond, overtaken(later), deps);
  try {
    await changeStatus({ ...issue, uuid: issue.uuid }, change, { who: userId, cause }, deps);
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id, change }, 'could not change a status');
    await tellPerson(respond, serviceFailure(explainServiceError(error)), deps);
  }
}

export const resolve = onIssueAction('resolve', changing('resolve'));
export const mute = onIssueAction('mute', changing('mute'));
export const reopen = onIssueAction('reopen', changing('reopen'));
