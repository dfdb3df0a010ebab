import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { channelMention, literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { type Rendered, section } from '../rendered.ts';
import { pausedWords } from '../settings/settings.ts';

/** Watching and settings are for channels; there is none here. */
export function needsChannel(): Rendered {
  return notice('That is for channels. Please write it in the channel where the alerts arrive.');
}

/** The bot is no member; Slack lets nobody but a member of the channel invite it. */
export function inviteFirst(channel: string): Rendered {
  return notice(
    `I am not in ${channelMention(channel)} and cannot read it. Write \`/invite @Gumshoe\` there, then do this once more.`,
  );
}

export function isArchived(channel: string): Rendered {
  return notice(`${channelMention(channel)} is archived: nothing new arrives there. Unarchive it first.`);
}

/** The app was installed without these scopes; empty where Slack does not say which. */
export function lacksScopes(scopes: readonly string[]): Rendered {
  const missing = scopes.map((scope) => `\`${literal(scope)}\``).join(', ') || 'a scope';
  return notice(
    `I lack ${missing} in this workspace. Whoever manages the app opens <https://api.slack.com/apps>, picks it, goes to ` +
      '_OAuth &amp; Permissions_ → _Bot Token Scopes_, adds what is missing, and presses _Reinstall to Workspace_.',
  );
}

/** Settings are for members of the channel, or for admins (`SETTINGS_BY`). */
export function maySetNot(why: 'not_admin' | 'not_member', channel: string): Rendered {
  return notice(
    why === 'not_admin'
      ? 'Only admins change settings here. Please ask one of them.'
      : `Only members of ${channelMention(channel)} change its settings. Join it first.`,
  );
}

/** Pausing and resuming concern every channel. */
export function onlyAdmins(): Rendered {
  return notice(
    'Only admins pause and resume filing, since it concerns every channel. Please ask one of them.',
  );
}

export function notWatched(channel: string): Rendered {
  return notice(`I do not watch ${channelMention(channel)}. \`/gumshoe watch\` has me do it.`);
}

/** `channels` counts those that have been told. */
export function pausedNow(channels: number): Rendered {
  return notice(
    `⏸️ Filing is paused. Alerts are kept and counted from now on, and offered once you write \`/gumshoe resume\`. ${told(channels)}`,
  );
}

export function pausedAlready(pause: { by: string; at: number }): Rendered {
  return notice(pausedWords(pause));
}

export function resumedNow({ alerts, channels }: { alerts: number; channels: number }): Rendered {
  const came =
    alerts === 0
      ? 'No alerts came meanwhile.'
      : `${alerts === 1 ? 'One alert' : `${alerts} alerts`} came meanwhile, in ${channels === 1 ? 'one channel' : `${channels} channels`}: a message there asks what is to become of them.`;
  return notice(`▶️ Filing goes on. ${came}`);
}

export function notPaused(): Rendered {
  return notice('Filing is not paused, so there is nothing to resume.');
}

/** What stands behind `/gumshoe`. The usages are ours; `typed` is what the person wrote. */
export function gumshoeHelp(command: string, entries: readonly { usage: string; does: string }[]): Rendered {
  return notice(entries.map(({ usage, does }) => `\`${`${command} ${usage}`.trim()}\` ${does}`).join('\n'));
}

/** `/gumshoe` with a word that it does not know, and the nearest that it does; `null` where none is near. */
export function unknownSubcommand(command: string, typed: string, nearest: string | null): Rendered {
  const word = literal(cutAtWord(oneLine(typed), 40));
  return notice(
    nearest === null
      ? `I do not know “${word}”. \`${command} help\` shows what I do know, for example \`${command} watch\`.`
      : `I do not know “${word}”. Did you mean \`${command} ${nearest}\`? \`${command} help\` shows everything.`,
  );
}

function told(channels: number): string {
  if (channels === 0) return 'No channel is watched.';
  return channels === 1
    ? 'The watched channel has been told.'
    : `The ${channels} watched channels have been told.`;
}

/** One section of safe mrkdwn, and the same as its notification. */
function notice(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
