import { transitions } from '../store/issue-transitions.ts';
import type { Aggregates } from '../store/open.ts';
import type { AlertIdentity } from './alert-identity.ts';
import type { ChannelMessage, DecisionResult } from './channel-message.ts';
import { actedOnSince } from './recover.ts';
import { countRepeat, wantShortCard } from './repeat.ts';
import { statusToReturnTo } from './status-before.ts';

const MINUTE_MS = 60_000;

/**
 * Reopens an issue whose alert fires again within the cool-down of the issue's channel: it returns to its previous
 * status, without a new investigation (DESIGN section 4, *Filing*). An alert posted before somebody resolved the
 * issue, but delivered after that, reopens nothing.
 *
 * @returns `null` if there is no such issue, or it was resolved too long ago.
 */
export async function comeBack(
  tx: Aggregates,
  seen: ChannelMessage,
  problem: AlertIdentity,
  now: number,
): Promise<DecisionResult | null> {
  const last = await tx.issues.lastClosed(problem.identity);
  if (last?.status !== 'resolved' || last.joinedInto !== null) return null;
  if (!seen.edited && (await actedOnSince(tx, last, seen.ts)) !== null) {
    await countRepeat(tx, last, problem, now);
    await wantShortCard(tx, seen, last, now);
    const reason = 'arrived late: somebody has resolved its issue since';
    return { decision: 'repeat', reason, issueId: last.id };
  }
  const { settings } = await tx.channels.get(last.channel);
  const { coolDownMinutes } = settings;
  if (now - last.statusSince > coolDownMinutes * MINUTE_MS) return null;
  const status = statusToReturnTo(last, now);
  await tx.issues.apply(last.id, transitions.reopen(status, 'Fired again and was reopened', now));
  await countRepeat(tx, { ...last, status }, problem, now);
  await wantShortCard(tx, seen, last, now);
  const minutes = Math.round((now - last.statusSince) / MINUTE_MS);
  return {
    decision: 'repeat',
    reason: `fired again ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} after its issue was resolved, within the cool-down of ${coolDownMinutes}`,
    issueId: last.id,
  };
}
