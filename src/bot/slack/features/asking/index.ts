import type { Feature } from '../../listening/feature.ts';
import { answerLate } from './answer-late-action.ts';
import { askAboutStep } from './ask-about-step-action.ts';
import { ask } from './ask-action.ts';
import { askCommand } from './ask-command.ts';
import { agentSessionTitleChanged } from './name-session-event.ts';
import { stopAnswer } from './stop-action.ts';
import { stopListening } from './stop-listening-action.ts';
import { agentSessionStopped } from './stop-session-event.ts';
import { appContextChanged } from './suggest-in-messages-tab.ts';
import { appMention } from './take-mention-event.ts';
import { tryAgain } from './try-again-action.ts';
import { vote, voteDown, voteUp } from './vote-action.ts';

/** Questions to the agent, in threads, direct messages and the Messages tab. */
export const asking: Feature = {
  commands: { ask: askCommand },
  actions: { answerLate, ask, askAboutStep, stopAnswer, stopListening, tryAgain, vote, voteDown, voteUp },
  events: {
    agent_session_stopped: agentSessionStopped,
    agent_session_title_changed: agentSessionTitleChanged,
    app_context_changed: appContextChanged,
    app_mention: appMention,
  },
};
