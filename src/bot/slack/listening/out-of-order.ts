import type { Act } from '../../store/acts.ts';
import type { ListenerDeps } from './deps.ts';

/**
 * Keeps what somebody does to an issue's status as the newest, or answers what was done to it later and came first: then
 * this one is out of order, which its history says, and nothing is to be done.
 *
 * @param issueId our id of it; `null` for one that was filed elsewhere
 */
export function takeInOrder(
  { uuid, issueId, ...act }: Omit<Act, 'subject'> & { uuid: string; issueId: string | null },
  { store, clock }: Pick<ListenerDeps, 'store' | 'clock'>,
): Promise<Act | null> {
  return store.transaction(async (tx) => {
    const at = clock.now();
    const later = await tx.acts.take({ ...act, subject: `issue:${uuid}` }, at);
    if (later !== null && issueId !== null) {
      const what = `${act.what} before that; it arrived too late and changed nothing`;
      await tx.audit.add({ at, who: act.who, what, issueId });
    }
    return later;
  });
}
