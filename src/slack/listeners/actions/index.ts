import type { actionIds } from '../../../render/action-ids.ts';
import type { Register } from '../deps.ts';
import { ask } from './ask.ts';
import { attachTo } from './attach.ts';
import { chooseHeld } from './choose-held.ts';
import { dismissHeld } from './dismiss-held.ts';
import { fileAll } from './file-all.ts';
import { fileIt } from './file-it.ts';
import { nextIssues, previousIssues } from './issue-list-page.ts';
import { more } from './more.ts';
import { openSettings } from './open-settings.ts';
import { retry } from './retry.ts';
import { sendDigestNow } from './send-digest-now.ts';
import { mute, reopen, resolve } from './status.ts';
import { typePatterns } from './type-patterns.ts';
import { vote, voteDown, voteUp } from './vote.ts';

/** One line a button; the names are those of `render/action-ids.ts`. */
export const actions: Record<keyof typeof actionIds, Register> = {
  ask,
  attachTo,
  chooseHeld,
  dismissHeld,
  fileAll,
  fileIt,
  more,
  mute,
  nextIssues,
  openSettings,
  previousIssues,
  reopen,
  resolve,
  retry,
  sendDigestNow,
  typePatterns,
  vote,
  voteDown,
  voteUp,
};
