import type { Clock } from '../../../lib/clock.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { classifySlackError } from '../errors.ts';
import { readPayload } from '../messages/dm.ts';
import { channelTrouble, isOfTheChannel, scopeTrouble } from './names.ts';
import { lackingScopes } from './scopes.ts';
import type { Blockers } from './types.ts';

const AGAIN_MS = 1_000;

interface Parking {
  store: Store;
  clock: Clock;
  blockers: Pick<Blockers, 'channelBroke' | 'scopesMissing'>;
}

/** Why a message waits that needs a scope. */
export const blockedFor = (scope: string) => `missing_scope:${scope}`;

/**
 * What Slack refuses because something has to be mended waits for that, and is not tried before.
 *
 * @returns false where nobody can mend it
 */
export async function blockUntilRepaired(
  row: OutboxRow,
  error: unknown,
  { store, clock, blockers }: Parking,
): Promise<boolean> {
  const [scope, ...others] = lackingScopes(error);
  if (scope !== undefined) {
    await blockers.scopesMissing([scope, ...others]);
    await park(row, scopeTrouble(scope), blockedFor(scope), { store, clock });
    return true;
  }
  const failure = classifySlackError(error);
  if (failure.kind !== 'refused' || !isOfTheChannel(row.channel, failure.error)) return false;
  if (isOfAnOutsider(row)) return false;
  await blockers.channelBroke(row.channel, failure.error);
  await park(row, channelTrouble(row.channel), failure.error, { store, clock });
  return true;
}

/** Somebody wrote a command in a channel that we have nothing to do with: that is nobody's trouble. */
function isOfAnOutsider(row: OutboxRow): boolean {
  return row.threadTs === null && row.sent === '[]' && readPayload(row).requester !== undefined;
}

/** What was mended in this very moment wakes nobody any more: such a message is tried again. */
function park(
  row: OutboxRow,
  trouble: string,
  error: string,
  { store, clock }: Pick<Parking, 'store' | 'clock'>,
): Promise<void> {
  return store.transaction(async (tx) => {
    if ((await tx.blockers.get(trouble)) !== null) await tx.outbox.park(row.key, error);
    else await tx.outbox.postpone(row.key, clock.now() + AGAIN_MS, error);
  });
}
