import { type MoreChoice, moreChoiceOf } from '../../../render/issues/more.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { type IssueActionContext, onIssueAction } from '../../listening/on-issue-action.ts';
import { openAttach } from '../alerts/attach-action.ts';
import { openNotSame } from '../alerts/split-choice.ts';
import { openDeletion } from './delete-choice.ts';
import { investigateAgain } from './reinvestigate-choice.ts';

const choices: Record<MoreChoice, (context: IssueActionContext, deps: ListenerDeps) => Promise<void>> = {
  notSame: openNotSame,
  attach: openAttach,
  investigateAgain,
  delete: openDeletion,
};

/** A card's `⋯` menu. */
export const more = onIssueAction('more', async (context, deps) => {
  const choice = moreChoiceOf(context.choice);
  if (choice !== null) await choices[choice](context, deps);
});
