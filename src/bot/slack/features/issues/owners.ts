import { ownerAsked, ownerNotAsked } from '../../../render/issues/owners.ts';
import { askOwnerIntent } from '../../../store/intents/issue-intents.ts';
import { accessProblem } from '../../access/rights.ts';
import { onIssueAction } from '../../listening/issue-actions.ts';
import { notifyPerson } from '../../listening/notify.ts';
import { ownerToAsk } from '../../messages/owners.ts';

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
