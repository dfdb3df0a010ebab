import { settingsInWords } from '../../../../filing/settings-words.ts';
import { renderSettings } from '../../../../render/settings.ts';
import type { ListenerDeps } from '../../deps.ts';
import { accessProblem } from '../../settings-refused.ts';
import { tellPerson } from '../../tell.ts';
import type { Asked } from './subcommand.ts';

/** `/gumshoe` alone: this channel's settings, to whoever asks, with the way to change them. */
export async function show({ channel, respond }: Asked, deps: ListenerDeps): Promise<void> {
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
