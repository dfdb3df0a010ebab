import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { changeStatus } from '../../../issues/change-status.ts';
import type { HomeChoice } from '../../../render/home/home.ts';
import { issueUnknownHere, serviceFailure } from '../../../render/notices.ts';
import type { Issue } from '../../../store/issues.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { onHomeAction } from './on-home-action.ts';

const choices: readonly HomeChoice[] = ['resolve', 'mute', 'reopen'];

/** The menu of an issue on the Home tab; the value is `<choice>:<issue id>`. */
export const homeIssue = onHomeAction('homeIssue', async ({ userId, cause, value }, deps) => {
  const colon = value.indexOf(':');
  const change = choices.find((choice) => choice === value.slice(0, colon));
  const issue = await deps.store.issues.get(value.slice(colon + 1));
  if (issue?.uuid == null || change === undefined || !(await isTheirs(issue, userId, deps))) {
    return deps.home.show(userId, { note: issueUnknownHere() });
  }
  try {
    await changeStatus({ ...issue, uuid: issue.uuid }, change, { who: userId, cause }, deps);
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id, change }, 'could not change a status');
    return deps.home.show(userId, { note: serviceFailure(explainServiceError(error)) });
  }
  await deps.home.show(userId);
});

/** A Home tab may be an hour old, and its reader may have left the channel since. */
function isTheirs(issue: Issue, userId: string, deps: ListenerDeps): Promise<boolean> {
  if (issue.channel.startsWith('D')) return Promise.resolve(issue.requestedBy === userId);
  return deps.home.maySee(userId, issue.channel);
}
