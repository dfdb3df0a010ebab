import { createHash } from 'node:crypto';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Channel } from '../store/channels.ts';
import { changeIntent } from '../store/intents/channel-intents.ts';
import { announcementKey } from '../store/intents/keys.ts';
import type { Aggregates } from '../store/open.ts';
import { changesInWords } from './describe-settings.ts';

/** Who changes what, and by which act: the same `cause` again changes nothing. */
export interface SettingsChange {
  cause: string;
  channel: string;
  by: string;
  settings: ChannelSettings;
  /** What `stateOf` said when the person was shown the settings. */
  basedOn: string;
  /** Now, as Slack writes a `ts`: a channel first watched starts from there. */
  seenTs: string;
  now: number;
}

/** Tells the states of a channel's settings apart, so that nobody undoes unseen what another has just set. */
export function stateOf({ watched, settings }: Pick<Channel, 'watched' | 'settings'>): string {
  return createHash('sha256')
    .update(JSON.stringify([watched, settings]))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Keeps a channel's settings, and watches it from now on where it was not; with the audit line, and what the channel
 * is told, in the same transaction.
 *
 * @returns `changed_meanwhile` where somebody else has set something since; nothing is kept then.
 */
export async function changeSettings(
  tx: Aggregates,
  change: SettingsChange,
): Promise<'saved' | 'changed_meanwhile'> {
  const { channel, by, settings, now } = change;
  if ((await tx.outbox.get(announcementKey(change.cause))) !== null) return 'saved';
  const before = await tx.channels.get(channel);
  if (stateOf(before) !== change.basedOn) return 'changed_meanwhile';
  const changes = changesInWords(before.settings, settings);
  if (before.watched && changes.length === 0) return 'saved';
  await tx.channels.watch(channel, settings, change.seenTs);
  const what = before.watched ? 'changed' : 'watched';
  await tx.audit.add({ at: now, who: by, what: auditLine(what, channel, changes), issueId: null, channel });
  const told = { what, by, suggests: settings.mode === 'suggest', changes } as const;
  await tx.outbox.want(changeIntent(change.cause, channel, told, now));
  return 'saved';
}

/** Stops watching a channel; its settings are kept for the next time. The same `cause` again changes nothing. */
export async function unwatch(
  tx: Aggregates,
  { cause, channel, by, now }: Pick<SettingsChange, 'cause' | 'channel' | 'by' | 'now'>,
): Promise<void> {
  const { watched } = await tx.channels.get(channel);
  if (!watched || (await tx.outbox.get(announcementKey(cause))) !== null) return;
  await tx.channels.unwatch(channel);
  await tx.audit.add({ at: now, who: by, what: `stopped watching ${channel}`, issueId: null, channel });
  await tx.outbox.want(changeIntent(cause, channel, { what: 'unwatched', by }, now));
}

function auditLine(what: 'changed' | 'watched', channel: string, changes: readonly string[]): string {
  const did = what === 'changed' ? `changed the settings of ${channel}` : `started watching ${channel}`;
  return changes.length === 0 ? did : `${did}: ${changes.join('; ')}`;
}
