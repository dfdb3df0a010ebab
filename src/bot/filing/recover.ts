import { compareTs } from '../../lib/moment.ts';
import type { Act } from '../store/acts.ts';
import { heldKey } from '../store/intents/keys.ts';
import { transitions } from '../store/issue-transitions.ts';
import type { Issue } from '../store/issues.ts';
import type { Aggregates } from '../store/open.ts';
import type { ChannelMessage, DecisionResult } from './channel-message.ts';
import { newestFiring } from './firing.ts';
import { withdrawSuggestions } from './suggest.ts';

/** The reason for a recovery without an issue; its alert may still arrive if Slack delivers it later. */
export const UNFILED = 'a recovery, but its alert has no open issue';
/** The reason for a recovery that is older than the latest firing. */
export const CAME_LATE = 'a late recovery: the alert has fired again since';

/**
 * The alert is over: notes it on the card, or resolves the issue if its channel is set to, unless somebody has set its
 * status since.
 *
 * @param ts of the message that shows the recovery; `null` if the time of the recovery is unknown
 */
export async function recover(
  tx: Aggregates,
  open: Issue,
  now: number,
  ts: string | null = null,
): Promise<DecisionResult> {
  const { settings } = await tx.channels.get(open.channel);
  const isSteered = ts !== null && (await actedOnSince(tx, open, ts)) !== null;
  const resolves = settings.onRecovery === 'resolve' && open.status !== 'resolved' && !isSteered;
  await tx.issues.apply(open.id, transitions.recover(open, resolves, now));
  await tx.outbox.refreshCards(open.id);
  // Another channel may only have suggested it.
  if (open.identity !== null) await withdrawSuggestions(tx, open.identity);
  const reason = resolves
    ? 'the alert recovered, which resolves its issue (channel setting)'
    : 'the alert recovered; noted on the card';
  return { decision: 'recovered', reason, issueId: open.id };
}

/** What somebody did to an issue's status after a given Slack timestamp; `null` if nobody did. */
export async function actedOnSince(
  tx: Pick<Aggregates, 'acts'>,
  { uuid }: Issue,
  ts: string,
): Promise<Act | null> {
  const act = uuid === null ? null : await tx.acts.newest(`issue:${uuid}`);
  return act?.ts != null && compareTs(ts, act.ts) < 0 ? act : null;
}

/**
 * Handles a recovery of an alert that was never filed: it is no longer held or suggested, unless it has fired again
 * since the recovery was posted. An edit has its message's `ts`, so its time is unknown.
 */
export async function recoverUnfiled(
  tx: Aggregates,
  seen: ChannelMessage,
  identity: string,
  now: number,
): Promise<DecisionResult> {
  const { channel, ts, edited } = seen;
  const newest = edited ? null : await newestFiring(tx, identity, channel, now);
  const firesAgain = newest !== null && newest.ts > ts;
  const held = (await tx.alerts.waiting(identity)).filter(
    (row) => !(firesAgain && row.channel === channel && row.ts > ts),
  );
  for (const row of held) {
    await tx.alerts.settle(row.id, {
      outcome: 'recovered',
      decision: 'held',
      reason: `${row.reason}; recovered while on hold`,
      issueId: null,
    });
  }
  for (const hold of new Set(held.map((row) => row.holdId))) {
    if (hold !== null) await tx.outbox.again(heldKey(hold));
  }
  const suggested = await withdrawSuggestions(tx, identity, firesAgain ? channel : null);
  if (held.length > 0) return over('the alert recovered while it was held');
  if (suggested > 0) return over('the alert recovered before anybody filed it');
  return { decision: 'ignored', reason: firesAgain ? CAME_LATE : UNFILED, issueId: null };
}

function over(reason: string): DecisionResult {
  return { decision: 'recovered', reason, issueId: null };
}
