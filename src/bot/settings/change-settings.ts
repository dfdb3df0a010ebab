import { createHash } from 'node:crypto';
import { oneLine } from '../../lib/text.ts';
import type { ChannelSettings } from '../store/channel-settings.ts';
import type { Channel } from '../store/channels.ts';
import { changeIntent } from '../store/intents/channel-intents.ts';
import { announcementKey } from '../store/intents/keys.ts';
import type { Aggregates } from '../store/open.ts';

/** Who changes what. Repeating a `cause` changes nothing. */
export interface SettingsChange {
  cause: string;
  channel: string;
  by: string;
  settings: ChannelSettings;
  /** What `stateOf` returned when the person saw the settings. */
  basedOn: string;
  /** The current time as a Slack `ts`: a channel is watched from there. */
  seenTs: string;
  now: number;
}

/** Identifies the state of a channel's settings, so that nobody overwrites a change they have not seen. */
export function stateOf({ watched, settings }: Pick<Channel, 'watched' | 'settings'>): string {
  // Senders are confirmed while the form is open.
  const { senders: _, ...rest } = settings;
  return createHash('sha256')
    .update(JSON.stringify([watched, rest]))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Stores a channel's settings, and starts watching it if it was not watched; with the audit entry and the
 * announcement, in one transaction.
 *
 * @returns `changed_meanwhile` if somebody else changed something in the meantime; nothing is stored then.
 */
export async function changeSettings(
  tx: Aggregates,
  change: SettingsChange,
): Promise<'saved' | 'changed_meanwhile'> {
  const { channel, by, now } = change;
  if ((await tx.outbox.get(announcementKey(change.cause))) !== null) return 'saved';
  const before = await tx.channels.get(channel);
  if (stateOf(before) !== change.basedOn) return 'changed_meanwhile';
  const changes = changesInWords(before.settings, change.settings);
  // Saving the settings during a trial makes it permanent.
  const isTrial = before.settings.trial !== undefined;
  if (before.watched && changes.length === 0 && !isTrial) return 'saved';
  // What commands of their own decide about stays.
  const { namedElsewhere, systems, hygiene, senders } = before.settings;
  const settings = {
    ...change.settings,
    ...(namedElsewhere === undefined ? {} : { namedElsewhere }),
    ...(hygiene === undefined ? {} : { hygiene }),
    ...(systems === undefined ? {} : { systems }),
    ...(senders === undefined ? {} : { senders }),
  };
  await tx.channels.watch(channel, settings, change.seenTs);
  const what = before.watched && !isTrial ? 'changed' : 'watched';
  await tx.audit.add({ at: now, who: by, what: auditLine(what, channel, changes), issueId: null, channel });
  const announced = { what, by, suggests: settings.mode === 'suggest', changes } as const;
  await tx.outbox.want(changeIntent(change.cause, channel, announced, now));
  return 'saved';
}

/**
 * A member agrees that the issues of a private channel may be named in answers elsewhere. Repeating it changes nothing:
 * the first who agreed stays on record.
 */
export async function allowNaming(
  tx: Aggregates,
  {
    cause,
    channel,
    by,
    now,
    model,
  }: Pick<SettingsChange, 'cause' | 'channel' | 'by' | 'now'> & { model: string | null },
): Promise<void> {
  const { namedElsewhere: agreed } = (await tx.channels.get(channel)).settings;
  if (agreed !== undefined && (model === null || agreed.model === model)) return;
  await tx.channels.nameElsewhere(channel, { by, at: now, ...(model === null ? {} : { model }) });
  const also = model === null ? '' : `, and go to the language model at ${model}`;
  const what = `agreed that issues of ${channel} may be named in answers elsewhere${also}`;
  await tx.audit.add({ at: now, who: by, what, issueId: null, channel });
  await tx.outbox.want(changeIntent(cause, channel, { what: 'named_elsewhere', by }, now));
}

/**
 * Stops watching a channel, and revokes that its issues may be named elsewhere; its other settings are kept for the
 * next time. Repeating a `cause` changes nothing.
 */
export async function unwatch(
  tx: Aggregates,
  { cause, channel, by, now }: Pick<SettingsChange, 'cause' | 'channel' | 'by' | 'now'>,
): Promise<void> {
  const { watched, settings } = await tx.channels.get(channel);
  const isNamed = settings.namedElsewhere !== undefined;
  if ((!watched && !isNamed) || (await tx.outbox.get(announcementKey(cause))) !== null) return;
  await tx.channels.unwatch(channel);
  if (isNamed) await tx.channels.nameElsewhere(channel, null);
  await tx.audit.add({ at: now, who: by, what: `stopped watching ${channel}`, issueId: null, channel });
  await tx.outbox.want(changeIntent(cause, channel, { what: 'unwatched', by }, now));
}

function auditLine(what: 'changed' | 'watched', channel: string, changes: readonly string[]): string {
  const did = what === 'changed' ? `changed the settings of ${channel}` : `started watching ${channel}`;
  return changes.length === 0 ? did : `${did}: ${changes.join('; ')}`;
}

/** A setting in words. Plain text; patterns and environments in it are untrusted. */
interface SettingInWords {
  name: string;
  value: string;
}

/** Every setting of a channel in words, in the order of the modal; tickets only where they are made by rule. */
export function settingsInWords(settings: ChannelSettings): SettingInWords[] {
  return allInWords(settings).filter(({ name }) => name !== 'tickets' || settings.tickets === true);
}

function allInWords(settings: ChannelSettings): SettingInWords[] {
  const { mode, people, include, exclude, onRecovery, budget, coolDownMinutes, broadcast } = settings;
  return [
    { name: 'new alerts', value: mode === 'automatic' ? 'automatic' : 'suggest' },
    { name: 'people’s reports', value: people ? 'filed like alerts' : 'offered to their author' },
    { name: 'include', value: list(include, 'everything') },
    { name: 'exclude', value: list(exclude, 'nothing') },
    { name: 'minimum severity', value: settings.minimumSeverity },
    { name: 'environment', value: settings.environment ?? 'the default' },
    { name: 'default severity', value: settings.defaultSeverity },
    { name: 'a recovery', value: onRecovery === 'note' ? 'is noted' : 'resolves the issue' },
    { name: 'budget', value: `${many(budget.issues, 'new issue')} in ${many(budget.minutes, 'minute')}` },
    { name: 'cool-down', value: coolDownMinutes === 0 ? 'none' : many(coolDownMinutes, 'minute') },
    { name: 'a recovery has to hold', value: many(settings.recoveryMinutes, 'minute') },
    { name: 'results', value: broadcast ? 'in the thread and in the channel' : 'in the thread' },
    { name: 'tickets', value: settings.tickets === true ? 'of high issues after an hour' : 'on request' },
  ];
}

/** What a change of settings changed, each as `name: new instead of old`; empty if nothing. */
function changesInWords(before: ChannelSettings, after: ChannelSettings): string[] {
  const old = allInWords(before);
  return allInWords(after).flatMap(({ name, value }, index) => {
    const was = old[index]?.value;
    return was === value ? [] : [`${name}: ${value} (was ${was})`];
  });
}

function list(patterns: readonly string[], none: string): string {
  return patterns.length === 0 ? none : patterns.map((pattern) => `“${oneLine(pattern)}”`).join(', ');
}

function many(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
