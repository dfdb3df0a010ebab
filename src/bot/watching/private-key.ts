import type { Clock } from '../../lib/clock.ts';
import type { Aggregates, Store } from '../store/open.ts';
import { MISSING_KEY, serviceTroubleOf } from './service-notices.ts';

/**
 * At a start: without the key for the private organisation, what is left of its issues cannot be reached. That is kept
 * among the troubles, and their cards say so; once there is a key again, they say so no more.
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

/** A key that is gone is refused no more. */
async function endOthers(tx: Aggregates, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (name !== MISSING_KEY && serviceTroubleOf(name)?.organization === 'private')
      await tx.blockers.end(name);
  }
}
