import type { RespondFn } from '@slack/bolt';
import { settingsRefused } from '../../access/settings-access.ts';
import type { Subcommand } from '../../commands/command.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';
import { namingView } from './naming.ts';
import { settingsView } from './settings-modal.ts';

/** `/gumshoe watch` opens the channel's settings; submitting them starts watching. */
export const watch: Subcommand = {
  example: 'watch',
  does: 'files alerts posted in this channel; opens its settings',
  run: openSettings,
};

/** Opens a channel's settings for somebody, or tells them why it cannot. */
export async function openSettings(
  {
    userId,
    channel,
    triggerId,
    respond,
  }: { userId: string; channel: string; triggerId: string; respond: RespondFn },
  deps: ListenerDeps,
): Promise<void> {
  const refused = await settingsRefused(userId, channel, deps);
  if (refused) return tellPerson(respond, refused, deps);
  const view = (await deps.needsConsent(channel))
    ? namingView(channel, 'settings', deps)
    : await settingsView(channel, deps);
  await openModal(triggerId, view, respond, deps);
}
