import { nearestOf } from '../alerts/nearest.ts';
import type { Aggregates } from '../store/open.ts';
import { alertOf, type ChannelMessage } from './channel-message.ts';
import type { AlertIdentity } from './identity.ts';

/** The identity that a recovery ends. */
interface Ending {
  identity: AlertIdentity;
  /** How many it may end alike, so that it ends none; `null` if it does not matter. */
  asNear: number | null;
}

/**
 * The problem that a tool's recovery ends. Where no alert of its identity was ever received, its words differ from those of
 * its alert: then it is the nearest of those that the same sender has firing in the channel.
 */
export async function endedBy(
  tx: Pick<Aggregates, 'alerts'>,
  { channel, sender, ts, alert, byPerson }: ChannelMessage,
  identity: AlertIdentity,
): Promise<Ending> {
  const own = { identity, asNear: null };
  if (alert.kind !== 'resolved' || alert.basis === undefined || byPerson || sender === null) return own;
  if (await tx.alerts.hasFired(identity.identity)) return own;
  const firing = await tx.alerts.firingOf(channel, sender, ts);
  const candidates = firing.flatMap((row) =>
    row.identity === null || environmentIn(row.identity) !== environmentIn(identity.ownIdentity)
      ? []
      : [{ alert: alertOf(row), of: row.identity }],
  );
  const nearest = nearestOf(alert, candidates);
  if (nearest.kind === 'one') return { identity: { ...identity, identity: nearest.of }, asNear: null };
  return nearest.kind === 'none' ? own : { identity, asNear: nearest.count };
}

function environmentIn(identity: string): string {
  return identity.slice(identity.indexOf('@') + 1).split('#', 1)[0] ?? '';
}
