import { notAllowed } from '../../render/notices.ts';
import type { ListenerDeps } from './deps.ts';
import type { MessageEvent } from './event-schema.ts';
import { postEphemeral } from './post-ephemeral.ts';

/** Whether somebody may not use Gumshoe: they are told so privately, once a thread (DESIGN section 4, *Who may*). */
export async function isRefused(
  { channel, ts, thread_ts }: MessageEvent,
  user: string,
  deps: ListenerDeps,
): Promise<boolean> {
  const refusal = await deps.people.refusal(user);
  if (refusal === null) return false;
  if (deps.once(`refused ${channel} ${thread_ts ?? ts} ${user}`)) {
    await postEphemeral(notAllowed(refusal), { channel, user, threadTs: thread_ts ?? null }, deps);
  }
  return true;
}
