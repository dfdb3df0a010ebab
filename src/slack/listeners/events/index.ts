import type { Register } from '../deps.ts';
import { appHomeOpened } from './app-home-opened.ts';
import { appMention } from './app-mention.ts';
import { appUninstalled } from './app-uninstalled.ts';
import { channelArchive, groupArchive } from './channel-archive.ts';
import { channelDeleted, groupDeleted } from './channel-deleted.ts';
import { channelLeft, groupLeft } from './channel-left.ts';
import { channelUnarchive, groupUnarchive } from './channel-unarchive.ts';
import { memberJoinedChannel } from './member-joined-channel.ts';
import { message } from './message.ts';
import { reactionAdded } from './reaction-added.ts';
import { tokensRevoked } from './tokens-revoked.ts';

/** One line an event type that the app listens to. */
export const events: Record<string, Register> = {
  app_home_opened: appHomeOpened,
  app_mention: appMention,
  app_uninstalled: appUninstalled,
  channel_archive: channelArchive,
  channel_deleted: channelDeleted,
  channel_left: channelLeft,
  channel_unarchive: channelUnarchive,
  group_archive: groupArchive,
  group_deleted: groupDeleted,
  group_left: groupLeft,
  group_unarchive: groupUnarchive,
  member_joined_channel: memberJoinedChannel,
  message,
  reaction_added: reactionAdded,
  tokens_revoked: tokensRevoked,
};
