import { nearestOf } from '../alerts/nearest.ts';
import type { Aggregates } from '../store/open.ts';
import { alertOf, type ChannelMessage } from './channel-message.ts';
import type { AlertIdentity } from './identity.ts';

/** The identity that a recovery ends, or why it ends none. */
export interface Ending {
  problem: AlertIdentity;
  /** Why none of several is over; `null` if it does not matter. */
  why: string | null;
}

/**
 * The problem that a tool's recovery ends. Where no alert of its identity was ever received, its words differ from those of
 * its alert: then it is the nearest of those that the same sender has firing in the channel.
 */
export async function endedBy(
  tx: Pick<Aggregates, 'alerts'>,
  { channel, sender, ts, alert, byPerson }: ChannelMessage,
  problem: AlertIdentity,
): Promise<Ending> {
  const own = { problem, why: null };
  if (alert.kind !== 'resolved' || alert.basis === undefined || byPerson || sender === null) return own;
  if (await tx.alerts.hasFired(problem.identity)) return own;
  const firing = await tx.alerts.firingOf(channel, sender, ts);
  const candidates = firing.flatMap((row) =>
    row.identity === null || environmentIn(row.identity) !== environmentIn(problem.ownIdentity)
      ? []
      : [{ alert: alertOf(row), of: row.identity }],
  );
  const nearest = nearestOf(alert, candidates);
  if (nearest.kind === 'one') return { problem: { ...problem, identity: nearest.of }, why: null };
  return nearest.kind === 'none' ? own : { problem, why: asNear(nearest.count) };
}

function environmentIn(identity: string): string {
  return identity.slice(identity.indexOf('@') + 1).split('#', 1)[0] ?? '';
}

/** Why a recovery that may end several alerts ends none. */
function asNear(count: number): string {
  return `a recovery that could be of ${count} open alerts of this sender: it names nothing that only one of them names, so none is taken as over`;
}
