import { overtaken, serviceFailure } from '../../../render/notices.ts';
import { explainServiceError } from '../../../service/words.ts';
import { changeStatus, type StatusChange, statusChanges } from '../../../watching/change-status.ts';
import type { ListenerDeps } from '../deps.ts';
import { overtakenBy } from '../overtaken.ts';
import { tellPerson } from '../tell.ts';
import { onIssueButton, type Pressed } from './pressed.ts';

/** *Resolve*, *Mute* and *Reopen* on a card. */
function changing(change: StatusChange) {
  return (pressed: Pressed, deps: ListenerDeps): Promise<void> =>
    deps.inTurn(`issue ${pressed.issue.number}`, () => changeInTurn(change, pressed, deps));
}

async function changeInTurn(
  change: StatusChange,
  { issue, userId, cause, moment, respond }: Pressed,
  deps: ListenerDeps,
): Promise<void> {
  if (issue.uuid === null) return;
  const { did } = statusChanges[change];
  const act = { uuid: issue.uuid, issueId: issue.id, who: userId, what: did, ...moment };
  const later = await overtakenBy(act, deps);
  if (later !== null) return tellPerson(respond, overtaken(later), deps);
  try {
    await changeStatus({ ...issue, uuid: issue.uuid }, change, { who: userId, cause }, deps);
    deps.rings.outbox();
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id, change }, 'a status was not changed');
    await tellPerson(respond, serviceFailure(explainServiceError(error)), deps);
  }
}

export const resolve = onIssueButton('resolve', changing('resolve'));
export const mute = onIssueButton('mute', changing('mute'));
export const reopen = onIssueButton('reopen', changing('reopen'));
