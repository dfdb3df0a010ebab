import { z } from 'zod';
import type { ListenerDeps, Register } from '../../listening/deps.ts';

const Event = z.looseObject({ channel: z.string() });

/** An event about a channel that the bot is or was in. */
type ChannelEvent =
  | `${'channel' | 'group'}_${'archive' | 'deleted' | 'left' | 'unarchive'}`
  | 'member_joined_channel';

/** Listens to one kind of channel event; `raw` is the event as Slack sends it. */
export function channelEvent(
  type: ChannelEvent,
  take: (channel: string, deps: ListenerDeps, raw: unknown) => Promise<void>,
): Register {
  return (app, deps) => {
    app.event(type, async ({ event }) => {
      const parsed = Event.safeParse(event);
      if (parsed.success) await take(parsed.data.channel, deps, event);
    });
  };
}

/** The bot can no longer post in the channel. For a channel that Gumshoe has nothing to do with, nobody is notified. */
export function broken(reason: string) {
  return async (channel: string, { store, blockers }: ListenerDeps): Promise<void> => {
    const { watched } = await store.channels.get(channel);
    const places = watched ? [] : await store.overview.places();
    if (watched || places.some((place) => place.channel === channel)) {
      await blockers.channelBroke(channel, reason);
    }
  };
}
