import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Feature, Register } from '../listening/feature.ts';

const Event = z.looseObject({ channel: z.string() });

type ChannelEvent =
  | `${'channel' | 'group'}_${'archive' | 'deleted' | 'left' | 'unarchive'}`
  | 'member_joined_channel';

/** Listens to one kind of channel event; `raw` is the event as Slack sends it. */
function on(
  type: ChannelEvent,
  take: (channel: string, deps: Deps, raw: unknown) => Promise<void>,
): Register {
  return (app, deps) => {
    app.event(type, async ({ event }) => {
      const parsed = Event.safeParse(event);
      if (parsed.success) await take(parsed.data.channel, deps, event);
    });
  };
}

/** The bot can no longer post in the channel. For a channel that Gumshoe has nothing to do with, nobody is notified. */
function broken(reason: string) {
  return async (channel: string, { store, slackProblems }: Deps): Promise<void> => {
    const { watched } = await store.channels.get(channel);
    const places = watched ? [] : await store.overview.places();
    if (watched || places.some((place) => place.channel === channel)) {
      await slackProblems.channelBroke(channel, reason);
    }
  };
}

/** Asks Slack whether the bot is still in it. */
const lookAgain = (channel: string, { slackProblems }: Deps) => slackProblems.channelChanged(channel);

const Joined = z.looseObject({ user: z.string() });

/** The bot joined a channel, perhaps again: reads what was posted in its absence. Other members are ignored. */
async function joined(channel: string, { identity, slackProblems }: Deps, raw: unknown): Promise<void> {
  const who = Joined.safeParse(raw).data?.user;
  if (who === identity.botUserId) await slackProblems.channelChanged(channel);
}

export const channels: Feature = {
  events: {
    channel_archive: on('channel_archive', broken('is_archived')),
    channel_deleted: on('channel_deleted', broken('channel_not_found')),
    channel_left: on('channel_left', broken('not_in_channel')),
    channel_unarchive: on('channel_unarchive', lookAgain),
    group_archive: on('group_archive', broken('is_archived')),
    group_deleted: on('group_deleted', broken('channel_not_found')),
    group_left: on('group_left', broken('not_in_channel')),
    group_unarchive: on('group_unarchive', lookAgain),
    member_joined_channel: on('member_joined_channel', joined),
  },
};
