import type { Act } from '../../store/acts.ts';
import type { ListenerDeps } from './deps.ts';

/**
 * Records a status change as the newest, or returns the later one that was handled before it: then this one is out of
 * order, which is added to the issue's history, and must not be carried out.
 *
 * @param issueId our id of the issue; `null` for one that was filed elsewhere
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
