import { channelMention, literal, quoted } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import type { Rendered } from '../rendered.ts';
import { pausedWords } from '../settings/settings.ts';
import { type SetupSteps, setupBlocks } from '../setup/setup.ts';

/** Watching and settings only work in channels. */
export function needsChannel(): Rendered {
  return notice('That only works in channels. Run it in the channel where the alerts arrive.');
}

/** The bot is not a member, and only a member of the channel can invite it. */
export function inviteFirst(channel: string): Rendered {
  return notice(
    `I am not in ${channelMention(channel)}, so I cannot read it. Run \`/invite @Gumshoe\` there, then try again.`,
  );
}

export function isArchived(channel: string): Rendered {
  return notice(`${channelMention(channel)} is archived. Unarchive it first.`);
}

/** The app was installed without these scopes; empty if Slack does not say which. */
export function lacksScopes(scopes: readonly string[]): Rendered {
  const missing = scopes.map((scope) => `\`${literal(scope)}\``).join(', ') || 'a scope';
  return notice(
    `I lack ${missing} in this workspace. To fix it, an app manager opens <https://api.slack.com/apps>, picks the app, goes to ` +
      '_OAuth &amp; Permissions_ → _Bot Token Scopes_, adds what is missing, and clicks _Reinstall to Workspace_.',
  );
}

/** Settings are for members of the channel, or for admins (`SETTINGS_BY`). */
export function maySetNot(why: 'not_admin' | 'not_member', channel: string): Rendered {
  return notice(
    why === 'not_admin'
      ? 'Only admins can change settings here. Ask one of them.'
      : `Only members of ${channelMention(channel)} can change its settings. Join it first.`,
  );
}

/** Pausing and resuming concern every channel. */
export function onlyAdmins(): Rendered {
  return notice(
    'Only admins can pause and resume filing, because it affects every channel. Ask one of them.',
  );
}

export function notWatched(channel: string): Rendered {
  return notice(`I am not watching ${channelMention(channel)}. \`/gumshoe watch\` turns it on.`);
}

/** `channels` is how many channels were notified. */
export function pausedNow(channels: number): Rendered {
  return notice(
    `⏸️ Filing is paused. Alerts are put on hold until you run \`/gumshoe resume\`. ${announcedIn(channels)}`,
  );
}

export function pausedAlready(pause: { by: string; at: number }): Rendered {
  return notice(pausedWords(pause));
}

export function resumedNow({ alerts, channels }: { alerts: number; channels: number }): Rendered {
  const came =
    alerts === 0
      ? 'No alerts arrived in the meantime.'
      : `${alerts === 1 ? 'One alert' : `${alerts} alerts`} arrived in the meantime, in ${channels === 1 ? 'one channel' : `${channels} channels`}; a message there asks what to do with them.`;
  return notice(`▶️ Filing has resumed. ${came}`);
}

export function notPaused(): Rendered {
  return notice('Filing is not paused.');
}

/** The subcommands of `/gumshoe`, below the first steps of a new installation. The usages are ours. */
export function gumshoeHelp(
  command: string,
  entries: readonly { usage: string; does: string }[],
  setup: SetupSteps | null,
): Rendered {
  const help = notice(
    entries.map(({ usage, does }) => `\`${`${command} ${usage}`.trim()}\` ${does}`).join('\n'),
  );
  return setup === null ? help : fitMessage({ ...help, blocks: [...setupBlocks(setup), ...help.blocks] });
}

/** `/gumshoe` with an unknown subcommand; `nearest` is a similar one, or `null`. */
export function unknownSubcommand(command: string, typed: string, nearest: string | null): Rendered {
  const word = quoted(typed, 40);
  return notice(
    nearest === null
      ? `I do not know “${word}”. \`${command} help\` lists all commands, for example \`${command} watch\`.`
      : `I do not know “${word}”. Did you mean \`${command} ${nearest}\`? \`${command} help\` lists all commands.`,
  );
}

function announcedIn(channels: number): string {
  if (channels === 0) return 'No channels are being watched.';
  return channels === 1
    ? 'I have announced it in the watched channel.'
    : `I have announced it in the ${channels} watched channels.`;
}
