import { changeIntent } from '../store/intents/channel-intents.ts';
import { announcementKey } from '../store/intents/keys.ts';
import type { Aggregates } from '../store/open.ts';

/**
 * Turns a channel's hourly checks on or off; with the audit entry and the announcement, in one
 * transaction. Repeating a `cause` changes nothing.
 */
export async function watchSystems(
  tx: Aggregates,
  {
    cause,
    channel,
    by,
    isOn,
    now,
  }: { cause: string; channel: string; by: string; isOn: boolean; now: number },
): Promise<void> {
  const { settings } = await tx.channels.get(channel);
  if ((settings.systems !== undefined) === isOn || (await tx.outbox.get(announcementKey(cause))) !== null)
    return;
  await tx.channels.watchSystems(channel, isOn ? { by, at: now } : null);
  const what = `${isOn ? 'turned on' : 'turned off'} the hourly checks for what is about to break in ${channel}`;
  await tx.audit.add({ at: now, who: by, what, issueId: null, channel });
  await tx.outbox.want(changeIntent(cause, channel, { what: 'systems_watched', by, isOn }, now));
}
