import type { Register } from '../../listening/deps.ts';
import { MessageEvent } from '../../listening/event-schema.ts';
import { takeOvertaking } from '../alerts/take-out-of-order.ts';
import { takeMention } from './take-mention.ts';

/** A mention in a channel that the bot is in. */
export const appMention: Register = (app, deps) => {
  app.event('app_mention', async ({ event }) => {
    await takeMention(event, deps);
    const mention = MessageEvent.safeParse(event);
    if (mention.success) await takeOvertaking(mention.data, deps);
  });
};
