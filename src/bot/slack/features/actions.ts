import type { actionIds } from '../../render/action-ids.ts';
import type { Register } from '../listening/deps.ts';
import { attachTo } from './alerts/attach-action.ts';
import { fileIt } from './alerts/file-action.ts';
import { answerLate } from './asking/answer-late-action.ts';
import { askAboutStep } from './asking/ask-about-step-action.ts';
import { ask } from './asking/ask-action.ts';
import { stopAnswer } from './asking/stop-action.ts';
import { stopListening } from './asking/stop-listening-action.ts';
import { tryAgain } from './asking/try-again-action.ts';
import { vote, voteDown, voteUp } from './asking/vote-action.ts';
import { sendDigestNow } from './digest/send-now-action.ts';
import { evidence } from './evidence/evidence-action.ts';
import { evidenceBack, evidenceJump, evidenceOn } from './evidence/page-action.ts';
import { rawJson } from './evidence/raw-json-action.ts';
import { chooseHeld } from './held/choose-action.ts';
import { dismissHeld } from './held/dismiss-action.ts';
import { fileAll } from './held/file-all-action.ts';
import { homeIssue } from './home/issue-action.ts';
import { homeNewIssue } from './home/new-issue-action.ts';
import { homeNext, homePrevious } from './home/page-action.ts';
import { homePause, homeResume } from './home/pause-action.ts';
import { nextIssues, previousIssues } from './issues/list-page-action.ts';
import { more } from './issues/more-action.ts';
import { chooseEnvironment, moreContext } from './issues/more-context-action.ts';
import { retry } from './issues/retry-action.ts';
import { mute, reopen, resolve } from './issues/status-action.ts';
import { artifact } from './results/artifact-action.ts';
import { tick, untick } from './results/checklist-step-action.ts';
import { copyPrompt } from './results/copy-prompt-action.ts';
import { wholeResults } from './results/everything-action.ts';
import { resultsBack, resultsOn } from './results/page-action.ts';
import { showVersion } from './results/show-version-action.ts';
import { openSettings } from './settings/open-action.ts';
import { typePatterns } from './settings/type-patterns-action.ts';

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
