import type { Register } from '../listening/deps.ts';
import { appUninstalled } from './admin/app-uninstalled-event.ts';
import { tokensRevoked } from './admin/tokens-revoked-event.ts';
import { message } from './alerts/message-event.ts';
import { reactionAdded } from './alerts/reaction-added-event.ts';
import { appMention } from './asking/app-mention-event.ts';
import { appHomeOpened } from './home/app-home-opened-event.ts';
import { channelArchive, groupArchive } from './settings/channel-archive-event.ts';
import { channelDeleted, groupDeleted } from './settings/channel-deleted-event.ts';
import { channelLeft, groupLeft } from './settings/channel-left-event.ts';
import { channelUnarchive, groupUnarchive } from './settings/channel-unarchive-event.ts';
import { memberJoinedChannel } from './settings/member-joined-channel-event.ts';

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
