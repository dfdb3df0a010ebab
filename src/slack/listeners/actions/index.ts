import type { actionIds } from '../../../render/action-ids.ts';
import type { Register } from '../deps.ts';
import { answerLate } from './answer-late.ts';
import { artifact } from './artifact.ts';
import { ask } from './ask.ts';
import { askAboutStep } from './ask-about-step.ts';
import { attachTo } from './attach.ts';
import { chooseHeld } from './choose-held.ts';
import { copyPrompt } from './copy-prompt.ts';
import { dismissHeld } from './dismiss-held.ts';
import { evidence } from './evidence.ts';
import { evidenceBack, evidenceJump, evidenceOn } from './evidence-page.ts';
import { fileAll } from './file-all.ts';
import { fileIt } from './file-it.ts';
import { homePause, homeResume } from './home-filing.ts';
import { homeIssue } from './home-issue.ts';
import { homeNewIssue } from './home-new-issue.ts';
import { homeNext, homePrevious } from './home-page.ts';
import { nextIssues, previousIssues } from './issue-list-page.ts';
import { more } from './more.ts';
import { chooseEnvironment, moreContext } from './more-context.ts';
import { openSettings } from './open-settings.ts';
import { rawJson } from './raw-json.ts';
import { resultsBack, resultsOn } from './results-page.ts';
import { retry } from './retry.ts';
import { sendDigestNow } from './send-digest-now.ts';
import { showVersion } from './show-version.ts';
import { mute, reopen, resolve } from './status.ts';
import { stopAnswer } from './stop-answer.ts';
import { stopListening } from './stop-listening.ts';
import { tick, untick } from './tick.ts';
import { tryAgain } from './try-again.ts';
import { typePatterns } from './type-patterns.ts';
import { vote, voteDown, voteUp } from './vote.ts';
import { wholeResults } from './whole-results.ts';

/** One line a button; the names are those of `render/action-ids.ts`. */
export const actions: Record<keyof typeof actionIds, Register> = {
  answerLate,
  artifact,
  ask,
  askAboutStep,
  attachTo,
  chooseEnvironment,
  chooseHeld,
  copyPrompt,
  dismissHeld,
  everything: wholeResults,
  evidence,
  evidenceBack,
  evidenceJump,
  evidenceOn,
  fileAll,
  fileIt,
  homeIssue,
  homeNewIssue,
  homeNext,
  homePause,
  homePrevious,
  homeResume,
  more,
  moreContext,
  mute,
  nextIssues,
  openSettings,
  previousIssues,
  reopen,
  resolve,
  rawJson,
  resultsBack,
  resultsOn,
  retry,
  showVersion,
  sendDigestNow,
  stopAnswer,
  stopListening,
  tick,
  tryAgain,
  typePatterns,
  untick,
  vote,
  voteDown,
  voteUp,
};
