import type { Register } from '../../listening/deps.ts';
import { takeMessage } from './take-message.ts';

/** Every message in the channels that the bot is in. */
export const message: Register = (app, deps) => {
  app.event('message', async ({ event }) => takeMessage(event, deps));
};
