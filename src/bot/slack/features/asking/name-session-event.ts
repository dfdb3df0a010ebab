import { z } from 'zod';
import type { Register } from '../../listening/deps.ts';

const Named = z.looseObject({ channel: z.string(), thread_ts: z.string() });

/** A session's title changed: a title that a person chose is never overwritten. */
export const agentSessionTitleChanged: Register = (app, deps) => {
  app.event('agent_session_title_changed', async ({ event }) => {
    const parsed = Named.safeParse(event);
    if (!parsed.success) return;
    const { channel, thread_ts: threadTs } = parsed.data;
    await deps.store.sessions.named({ channel, threadTs }, deps.clock.now());
  });
};
