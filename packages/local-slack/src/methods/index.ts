import { agentsMethods } from './agents.ts';
import { assistantMethods } from './assistant.ts';
import { blocksMethods } from './blocks.ts';
import { chatMethods } from './chat.ts';
import { conversationsMethods } from './conversations.ts';
import { filesMethods } from './files.ts';
import type { Method } from './method.ts';
import { reactionsMethods } from './reactions.ts';
import { viewsMethods } from './views.ts';
import { workspaceMethods } from './workspace.ts';

/** Every method of the Web API that the workspace has; any other is `unknown_method`. */
export const METHODS: readonly Method[] = [
  ...agentsMethods,
  ...assistantMethods,
  ...blocksMethods,
  ...chatMethods,
  ...conversationsMethods,
  ...filesMethods,
  ...reactionsMethods,
  ...viewsMethods,
  ...workspaceMethods,
];

/** What the workspace claims to implement: each method with the refusals that it makes itself. */
export const COVERAGE = METHODS.map(({ name, checks }) => ({ method: name, checks }));
