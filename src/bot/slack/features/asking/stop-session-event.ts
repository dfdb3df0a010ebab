import { z } from 'zod';
import { investigationGoesOn } from '../../../render/asking/asking-notices.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { isRefused, postEphemeral } from '../../listening/tell.ts';
import { timeOfTs } from '../../timestamp.ts';
import { stopInThread } from './stop-in-thread.ts';

const Ts = z.string().regex(/^\d{1,16}\.\d{1,9}$/u);
const Stopped = z.looseObject({ channel: z.string(), user: z.string(), thread_ts: Ts, event_ts: Ts });

/** Somebody pressed Slack's stop button in a thread, which does the same as a bare "stop". */
export const agentSessionStopped: Register = (app, deps) => {
  app.event('agent_session_stopped', async ({ event }) => {
    const parsed = Stopped.safeParse(event);
    if (parsed.success) await stopSession(parsed.data, deps);
    else deps.log.warn('a press of the stop button could not be read and was left out');
  });
};

async function stopSession(
  { channel, user, thread_ts: threadTs, event_ts: ts }: z.infer<typeof Stopped>,
  deps: ListenerDeps,
): Promise<void> {
  const { store } = deps;
  if (await stopInThread({ channel, threadTs, ts }, user, deps)) return;
  if (await isRefused({ channel, ts, thread_ts: threadTs }, user, deps)) return;
  // Slack shows the session as working until it is told otherwise.
  await store.sessions.stopped({ channel, threadTs }, timeOfTs(ts));
  const issue = await store.issues.byThread(channel, threadTs);
  if (issue?.state === 'created' && issue.status === 'investigating') {
    await postEphemeral(investigationGoesOn(), { channel, user, threadTs }, deps);
  }
}
