import type { Register } from '../deps.ts';
import { MessageEvent } from './schema.ts';
import { takeMention } from './take-mention.ts';
import { takeOvertaking } from './take-overtaking.ts';

/** A mention in a channel that the bot is in. */
export const appMention: Register = (app, deps) => {
  app.event('app_mention', async ({ event }) => {
    await takeMention(event, deps);
    const mention = MessageEvent.safeParse(event);
    if (mention.success) await takeOvertaking(mention.data, deps);
  });
};
