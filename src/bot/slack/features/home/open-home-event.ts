import { z } from 'zod';
import type { Register } from '../../listening/deps.ts';
import { openedMessagesTab } from '../asking/suggest-in-messages-tab.ts';

const Opened = z.looseObject({ user: z.string(), tab: z.literal('home') });
const OpenedMessages = z.looseObject({
  user: z.string(),
  channel: z.string(),
  tab: z.literal('messages'),
  context: z.unknown().optional(),
});

/** Somebody opened the app's Home tab or its Messages tab. */
export const appHomeOpened: Register = (app, deps) => {
  app.event('app_home_opened', async ({ event }) => {
    const parsed = Opened.safeParse(event);
    if (parsed.success) await deps.home.opened(parsed.data.user);
    const messages = OpenedMessages.safeParse(event);
    if (messages.success) await openedMessagesTab(messages.data, deps);
  });
};
