import { serviceFailure } from '../../../render/notices.ts';
import { investigatedNow } from '../../../render/notices-apart.ts';
import { explainServiceError } from '../../../service/words.ts';
import { changeStatus } from '../../../watching/change-status.ts';
import type { ListenerDeps } from '../deps.ts';
import { tellPerson } from '../tell.ts';
import type { Pressed } from './pressed.ts';

/** *Investigate again*, once the last investigation has ended: the service begins the issue's next version. */
export async function investigateAgain(
  { issue, userId, cause, respond }: Pressed,
  deps: ListenerDeps,
): Promise<void> {
  if (issue.uuid === null || issue.state !== 'created') return;
  const isUnderWay = issue.ended_version < issue.version;
  // Taken up after a crash, it may be this very press that began what is under way.
  if (isUnderWay && !(await deps.store.changes.isBegun(cause))) {
    return tellPerson(respond, investigatedNow(), deps);
  }
  try {
    await changeStatus({ ...issue, uuid: issue.uuid }, 'investigateAgain', { who: userId, cause }, deps);
    deps.rings.outbox();
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id }, 'an investigation was not begun anew');
    await tellPerson(respond, serviceFailure(explainServiceError(error)), deps);
  }
}
