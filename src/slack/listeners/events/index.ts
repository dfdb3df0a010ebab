import type { Register } from '../deps.ts';
import { appHomeOpened } from './app-home-opened.ts';
import { appMention } from './app-mention.ts';
import { message } from './message.ts';
import { reactionAdded } from './reaction-added.ts';

/** One line an event type that the app listens to. */
export const events: Record<string, Register> = {
  app_home_opened: appHomeOpened,
  app_mention: appMention,
  message,
  reaction_added: reactionAdded,
};
