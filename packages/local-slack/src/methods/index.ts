import { agentsMethods } from './agents.ts';
import { apiMethods } from './api.ts';
import { appsMethods } from './apps.ts';
import { assistantMethods } from './assistant.ts';
import { authMethods } from './auth.ts';
import { blocksMethods } from './blocks.ts';
import { botsMethods } from './bots.ts';
import { chatMethods } from './chat.ts';
import { chatPostMethods } from './chat-post.ts';
import { chatStreamMethods } from './chat-stream.ts';
import { conversationsMethods } from './conversations.ts';
import { entityMethods } from './entity.ts';
import { filesMethods } from './files.ts';
import { historyMethods } from './history.ts';
import type { Method } from './method.ts';
import { reactionsMethods } from './reactions.ts';
import { teamMethods } from './team.ts';
import { usersMethods } from './users.ts';
import { viewsMethods } from './views.ts';
import { viewsPublishMethods } from './views-publish.ts';

/** Every method of the Web API that the workspace has; any other is `unknown_method`. */
export const METHODS: readonly Method[] = [
  ...agentsMethods,
  ...apiMethods,
  ...appsMethods,
  ...assistantMethods,
  ...authMethods,
  ...blocksMethods,
  ...botsMethods,
  ...chatMethods,
  ...chatPostMethods,
  ...chatStreamMethods,
  ...conversationsMethods,
  ...entityMethods,
  ...filesMethods,
  ...historyMethods,
  ...reactionsMethods,
  ...teamMethods,
  ...usersMethods,
  ...viewsMethods,
  ...viewsPublishMethods,
];

/** What the workspace claims to implement: each method with the refusals that it makes itself. */
export const COVERAGE = METHODS.map(({ name, checks }) => ({ method: name, checks }));
