import type { Register } from '../deps.ts';
import { takeMention } from './take-mention.ts';

/** A mention in a channel that the bot is in. */
export const appMention: Register = (app, deps) => {
  app.event('app_mention', async ({ event }) => takeMention(event, deps));
};
