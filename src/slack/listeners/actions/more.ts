import { type MoreChoice, moreChoiceOf } from '../../../render/more.ts';
import type { ListenerDeps } from '../deps.ts';
import { openAttach } from './attach.ts';
import { openDeletion } from './delete.ts';
import { investigateAgain } from './investigate-again.ts';
import { openNotSame } from './not-same.ts';
import { onIssueButton, type Pressed } from './pressed.ts';

const choices: Record<MoreChoice, (pressed: Pressed, deps: ListenerDeps) => Promise<void>> = {
  notSame: openNotSame,
  attach: openAttach,
  investigateAgain,
  delete: openDeletion,
};

/** The menu `⋯` of a card. */
export const more = onIssueButton('more', async (pressed, deps) => {
  const choice = moreChoiceOf(pressed.choice);
  if (choice !== null) await choices[choice](pressed, deps);
});
