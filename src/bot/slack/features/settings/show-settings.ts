import { renderSettings } from '../../../render/settings/settings.ts';
import { settingsInWords } from '../../../settings/change-settings.ts';
import { accessProblem } from '../../access/settings-access.ts';
import type { CommandCall } from '../../commands/command.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { tellPerson } from '../../listening/tell.ts';

/** `/gumshoe` alone: privately shows this channel's settings, with a button to change them. */
export async function showSettings({ channel, respond }: CommandCall, deps: ListenerDeps): Promise<void> {
  const problem = await accessProblem(channel, deps);
  if (problem) return tellPerson(respond, problem, deps);
  const { watched, settings } = await deps.store.channels.get(channel);
  const view = {
    channel,
    watched,
    suggests: settings.mode === 'suggest',
    settings: settingsInWords(settings),
    defaultEnvironment: deps.defaultEnvironment,
    paused: await deps.store.flags.paused(),
  };
  await tellPerson(respond, renderSettings(view), deps);
}
