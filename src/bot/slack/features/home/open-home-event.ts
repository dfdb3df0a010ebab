import { z } from 'zod';
import type { Register } from '../../listening/deps.ts';

const Opened = z.looseObject({ user: z.string(), tab: z.literal('home') });

/** Somebody opened the app's Home. */
export const appHomeOpened: Register = (app, deps) => {
  app.event('app_home_opened', async ({ event }) => {
    const parsed = Opened.safeParse(event);
    if (parsed.success) await deps.home.opened(parsed.data.user);
  });
};
