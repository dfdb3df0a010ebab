import type { Moment } from '../shared/moment.ts';
import type { Act } from '../store/acts.ts';
import type { Pause } from '../store/flags.ts';
import { sharedChangeIntent } from '../store/intents/channel-intents.ts';
import { heldIntent } from '../store/intents/issue-intents.ts';
import type { Aggregates } from '../store/open.ts';

/** Who pauses or resumes, and what caused it. */
export interface PauseChange {
  cause: string;
  by: string;
  moment: Moment;
  now: number;
}

/** Pausing and resuming supersede each other. */
const SUBJECT = 'filing';

/**
 * Pauses filing everywhere: from now on alerts are stored and held. Every watched channel gets one message.
 *
 * @returns the existing pause, or who resumed later than this; nothing changes then.
 */
export async function pauseFiling(
  tx: Aggregates,
  change: PauseChange,
): Promise<{ already: Pause } | { overtaken: Act } | null> {
  const later = await overtaking(tx, change, 'paused filing');
  if (later !== null) return { overtaken: later };
  const already = await tx.flags.paused();
  if (already !== null) return { already };
  await tx.flags.pause({ by: change.by, at: change.now });
  await tx.audit.add({ at: change.now, who: change.by, what: 'paused filing', issueId: null });
  for (const { channel } of await tx.channels.watched())
    await announce(tx, change, channel, { what: 'paused' });
  return null;
}

/**
 * Resumes filing. Held alerts are offered in one message per channel, and each watched channel is told how many there
 * are.
 *
 * @returns how many alerts are offered, in how many channels; `null` if filing was not paused, or was paused later
 * than this.
 */
export async function resumeFiling(
  tx: Aggregates,
  change: PauseChange,
): Promise<{ alerts: number; channels: number } | { overtaken: Act } | null> {
  const later = await overtaking(tx, change, 'resumed filing');
  if (later !== null) return { overtaken: later };
  if ((await tx.flags.paused()) === null) return null;
  await tx.flags.resume();
  const offered = await offerHeld(tx, change.now);
  const alerts = [...offered.values()].reduce((sum, n) => sum + n, 0);
  const what = `resumed filing; ${alerts} alerts on hold`;
  await tx.audit.add({ at: change.now, who: change.by, what, issueId: null });
  const watched = (await tx.channels.watched()).map(({ channel }) => channel);
  for (const channel of new Set([...watched, ...offered.keys()])) {
    await announce(tx, change, channel, { what: 'resumed', held: offered.get(channel) ?? 0 });
  }
  return { alerts, channels: offered.size };
}

function overtaking(
  tx: Aggregates,
  { by: who, moment, now }: PauseChange,
  what: string,
): Promise<Act | null> {
  return tx.acts.take({ ...moment, subject: SUBJECT, who, what }, now);
}

/** @returns how many alerts are held in each channel that has any. */
async function offerHeld(tx: Aggregates, now: number): Promise<Map<string, number>> {
  const offered = new Map<string, number>();
  for (const { id, channel, state } of await tx.holds.ofPause()) {
    // An earlier pause's batch has been offered already.
    if (state !== 'rolling') continue;
    const undecided = (await tx.alerts.inHold(id)).filter(({ outcome }) => outcome === null).length;
    await tx.holds.become(id, undecided > 0 ? 'quiet' : 'closed');
    if (undecided === 0) continue;
    offered.set(channel, undecided);
    await tx.outbox.want(heldIntent(id, channel, now));
  }
  return offered;
}

function announce(
  tx: Aggregates,
  { cause, by, now }: PauseChange,
  channel: string,
  what: { what: 'paused' } | { what: 'resumed'; held: number },
): Promise<void> {
  return tx.outbox.want(sharedChangeIntent(cause, channel, { ...what, by }, now));
}
