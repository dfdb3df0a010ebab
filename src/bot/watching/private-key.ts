import type { Clock } from '../../lib/clock.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { MISSING_KEY, serviceTroubleOf } from './service-notices.ts';

/**
 * At startup: without the private organisation's key, its remaining issues cannot be reached. That is stored as a
 * trouble, and their cards say so until there is a key again.
 */
export function lookForPrivateKey({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  return store.transaction(async (tx) => {
    const names = (await tx.blockers.open()).map(({ name }) => name);
    const isOpen = names.includes(MISSING_KEY);
    const affected = await tx.issues.unended('private');
    const isMissing = !tx.hasPrivateOrganization && affected.length > 0;
    if (!tx.hasPrivateOrganization) await endOthers(tx, names);
    if (isMissing === isOpen) return;
    if (isMissing) {
      await tx.blockers.begin({ name: MISSING_KEY, reason: 'missing', since: clock.now(), detail: '' });
    } else await tx.blockers.end(MISSING_KEY);
    for (const { id } of affected) await tx.outbox.refreshCards(id);
  });
}

/** A key that is no longer configured is no longer rejected. */
async function endOthers(tx: Aggregates, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (name !== MISSING_KEY && serviceTroubleOf(name)?.organization === 'private')
      await tx.blockers.end(name);
  }
}
