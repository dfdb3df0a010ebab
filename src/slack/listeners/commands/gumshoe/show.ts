import { settingsInWords } from '../../../../filing/settings-words.ts';
import { renderSettings } from '../../../../render/settings.ts';
import { needsChannel } from '../../../../render/steering-notices.ts';
import type { ListenerDeps } from '../../deps.ts';
import { tellPerson } from '../../tell.ts';
import type { Asked } from './subcommand.ts';

/** `/gumshoe` alone: this channel's settings, to whoever asks, with the way to change them. */
export async function show({ channel, respond }: Asked, deps: ListenerDeps): Promise<void> {
  if (channel.startsWith('D')) return tellPerson(respond, needsChannel(), deps);
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
