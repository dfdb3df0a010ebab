import type { Feature } from '../../listening/feature.ts';
import {
  answerLate,
  ask,
  askAboutStep,
  askCommand,
  stopAnswer,
  stopListening,
  tryAgain,
  vote,
  voteDown,
  voteUp,
} from './actions.ts';
import { agentSessionStopped, agentSessionTitleChanged, appMention } from './events.ts';
import { appContextChanged } from './messages-tab.ts';

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
