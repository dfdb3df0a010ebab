import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import type { Deps } from '../../../deps.ts';
import { changeStatus, type StatusChange, statusChanges } from '../../../issues/change-status.ts';
import { wantPage } from '../../../owners/paging.ts';
import { investigatedNow } from '../../../render/alerts/split-issue-notices.ts';
import { type MoreChoice, moreChoiceOf } from '../../../render/issues/more.ts';
import { ownerAsked, ownerNotAsked, pageAnswered } from '../../../render/issues/owners.ts';
import { overtaken, serviceFailure } from '../../../render/notices.ts';
import { askOwnerIntent } from '../../../store/intents/issue-intents.ts';
import { transitions } from '../../../store/issue-transitions.ts';
import { accessProblem } from '../../access/rights.ts';
import { type IssueActionContext, onIssueAction, takeInOrder } from '../../listening/issue-actions.ts';
import { notifyPerson } from '../../listening/notify.ts';
import { ownerToAsk, ownerToPage } from '../../messages/owners.ts';
import { openAttach, openNotSame } from '../alerts/split-and-attach.ts';
import { catchUp } from './catch-up.ts';
import { openDeletion } from './delete.ts';

function changing(change: StatusChange) {
  return async (context: IssueActionContext, deps: Deps): Promise<void> => {
    await deps.inTurn(`issue ${context.issue.number}`, () => changeInTurn(change, context, deps));
  };
}

async function changeInTurn(
  change: StatusChange,
  { issue, userId, cause, moment, respond }: IssueActionContext,
  deps: Deps,
): Promise<void> {
  if (issue.uuid === null) return;
  const { did } = statusChanges[change];
  const act = { uuid: issue.uuid, issueId: issue.id, who: userId, what: did, ...moment };
  const later = await takeInOrder(act, deps);
  if (later !== null) return notifyPerson(respond, overtaken(later), deps);
  try {
    await changeStatus({ ...issue, uuid: issue.uuid }, change, { who: userId, cause }, deps);
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id, change }, 'could not change a status');
    await notifyPerson(respond, serviceFailure(explainServiceError(error)), deps);
  }
}

export const resolve = onIssueAction('resolve', changing('resolve'));
export const mute = onIssueAction('mute', changing('mute'));
export const reopen = onIssueAction('reopen', changing('reopen'));

export const retry = onIssueAction('retry', async ({ issue, userId }, deps) => {
  if (issue.state !== 'failed') return;
  await deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    const other = issue.identity === null ? null : await tx.issues.openByIdentity(issue.identity);
    // Somebody else was faster.
    if (!(await tx.issues.apply(issue.id, transitions.retry({ by: userId, at: now }, other === null))))
      return;
    await tx.audit.add({ at: now, who: userId, what: 'tried again', issueId: issue.id });
    await tx.outbox.refreshCards(issue.id);
  });
});

/** *Investigate again*, once the last investigation is over: the service starts the issue's next version. */
function investigateAgain(context: IssueActionContext, deps: Deps): Promise<void> {
  return deps.inTurn(`issue ${context.issue.number}`, () => againInTurn(context, deps));
}

async function againInTurn(
  { issue: shownIssue, userId, cause, moment, respond }: IssueActionContext,
  deps: Deps,
): Promise<void> {
  // Another press may have started one while this one was waiting.
  const issue = (await deps.store.issues.get(shownIssue.id)) ?? shownIssue;
  if (issue.uuid === null || issue.state !== 'created') return;
  const { did } = statusChanges.investigateAgain;
  const act = { uuid: issue.uuid, issueId: issue.id, who: userId, what: did, ...moment };
  const later = await takeInOrder(act, deps);
  if (later !== null) return notifyPerson(respond, overtaken(later), deps);
  const isUnderWay = issue.endedVersion < issue.version;
  // When retried after a crash, this very press may have started the investigation.
  if (isUnderWay && !(await deps.store.changes.isBegun(cause))) {
    return notifyPerson(respond, investigatedNow(), deps);
  }
  try {
    await changeStatus({ ...issue, uuid: issue.uuid }, 'investigateAgain', { who: userId, cause }, deps);
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id }, 'could not start another investigation');
    await notifyPerson(respond, serviceFailure(explainServiceError(error)), deps);
  }
}

const choices: Record<MoreChoice, (context: IssueActionContext, deps: Deps) => Promise<void>> = {
  catchUp,
  notSame: openNotSame,
  attach: openAttach,
  investigateAgain,
  delete: openDeletion,
};

export const more = onIssueAction('more', async (context, deps) => {
  const choice = moreChoiceOf(context.choice);
  if (choice !== null) await choices[choice](context, deps);
});

/** *Ask the owner* on a card: once per issue and channel, whoever presses and however often. */
export const askOwner = onIssueAction('askOwner', async ({ issue, userId, respond }, deps) => {
  const owner = await ownerToAsk(issue, deps);
  if (owner === null) return notifyPerson(respond, ownerNotAsked('unknown'), deps);
  if (issue.endedVersion < 1) return notifyPerson(respond, ownerNotAsked('early'), deps);
  if (!(await deps.mayRead({ channel: owner.channel }, issue)))
    return notifyPerson(respond, ownerNotAsked('private'), deps);
  const problem = await accessProblem(owner.channel, deps);
  if (problem !== null) return notifyPerson(respond, problem, deps);
  const isNew = await deps.store.transaction(async (tx) => {
    const at = deps.clock.now();
    const intent = askOwnerIntent(issue.id, owner, userId, at);
    if ((await tx.outbox.get(intent.key)) !== null) return false;
    await tx.outbox.want(intent);
    await tx.audit.add({ at, who: userId, what: 'asked the owner', issueId: issue.id });
    await tx.outbox.refreshCards(issue.id);
    return true;
  });
  await notifyPerson(respond, ownerAsked(owner.channel, isNew), deps);
});

/** *Page* on a card, confirmed: once per issue, whoever presses and however often. */
export const page = onIssueAction('page', async ({ issue, userId, respond }, deps) => {
  if (issue.state !== 'created' || issue.status === 'resolved')
    return notifyPerson(respond, pageAnswered('over'), deps);
  const owner = await ownerToPage(issue, deps);
  if (owner === null) return notifyPerson(respond, pageAnswered('unknown'), deps);
  const now = deps.clock.now();
  const isNew = await deps.store.transaction((tx) =>
    wantPage(tx, { issue, owner: owner.name, by: userId, now }),
  );
  await deps.checkpoint('page: stored');
  await notifyPerson(respond, pageAnswered(isNew ? 'new' : 'before'), deps);
});
