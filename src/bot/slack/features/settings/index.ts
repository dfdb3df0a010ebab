import type { Feature } from '../../listening/feature.ts';
import { dryRun } from './dry-run-subcommand.ts';
import {
  channelArchive,
  channelDeleted,
  channelLeft,
  groupArchive,
  groupDeleted,
  groupLeft,
} from './lose-channel-event.ts';
import { agree, naming, openNamingAction } from './naming.ts';
import { openSettings } from './open-settings-action.ts';
import { channelUnarchive, groupUnarchive, memberJoinedChannel } from './regain-channel-event.ts';
import { settings as settingsSubmission } from './settings-modal-submission.ts';
import { typePatterns } from './type-patterns-action.ts';
import { unwatch as unwatchSubmission } from './unwatch-modal-submission.ts';
import { unwatch } from './unwatch-subcommand.ts';
import { watch } from './watch-subcommand.ts';

/** A channel's settings, and what happens when channels come and go. */
export const settings: Feature = {
  subcommands: { watch, unwatch, naming, 'dry-run': dryRun },
  actions: { openSettings, openNaming: openNamingAction, typePatterns },
  views: { settings: settingsSubmission, unwatch: unwatchSubmission, naming: agree },
  events: {
    channel_archive: channelArchive,
    channel_deleted: channelDeleted,
    channel_left: channelLeft,
    channel_unarchive: channelUnarchive,
    group_archive: groupArchive,
    group_deleted: groupDeleted,
    group_left: groupLeft,
    group_unarchive: groupUnarchive,
    member_joined_channel: memberJoinedChannel,
  },
};
