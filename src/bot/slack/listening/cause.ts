import type { SlashCommand } from '@slack/bolt';
import { issueIdOf } from '../../filing/reference.ts';

/** The id of what a command causes: the same when the stored delivery is taken up again. */
export function causeOf(command: SlashCommand): string {
  return issueIdOf(command.channel_id, command.user_id, command.trigger_id, command.command, command.text);
}
