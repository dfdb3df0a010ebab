import { isBefore, type Moment } from '../../lib/moment.ts';
import type { Aggregates } from '../store/open.ts';

/** Whether it listens is decided by the newest of what called it (`on`) and had it stop (`off`). */
export function listeningSubject(conversationId: string): string {
  return `listening:${conversationId}`;
}

/**
 * Whether somebody had it stop listening in a thread after something was written there, though that is heard of only
 * now. What calls it into the thread is kept, so that an older *Stop listening* does not undo it.
 */
export async function wasCalledOff(
  tx: Pick<Aggregates, 'acts'>,
  conversationId: string,
  { ts = null, calls = false, asker }: { ts?: string | null; calls?: boolean; asker: string },
  now: number,
): Promise<boolean> {
  if (ts === null) return false;
  const subject = listeningSubject(conversationId);
  const written: Moment = { ts, receivedAt: now };
  if (calls) {
    const since = await tx.acts.take({ subject, ...written, who: asker, what: 'on' }, now);
    return since?.what === 'off';
  }
  const newest = await tx.acts.newest(subject);
  return newest?.what === 'off' && isBefore(written, newest);
}
