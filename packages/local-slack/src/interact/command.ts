import { type FailureReason, VERIFICATION_TOKEN } from '../deliver/transport.ts';
import type { Channel } from '../entities.ts';
import { channelType } from '../events/announce.ts';
import type { PageOutcome } from '../page-api.ts';
import type { CommandRequest } from '../page-requests.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { describe, outcomeOf, personIn } from './person.ts';
import { PersonError } from './person-error.ts';
import { applyReply } from './reply.ts';
import { makeResponseUrl } from './response-url.ts';

/** How a command's payload names a conversation. */
function channelName(channel: Channel): string {
  const names = { channel: channel.name, group: 'privategroup', im: 'directmessage' } as const;
  return names[channelType(channel)];
}

function failure(command: string, reason: FailureReason): PersonError {
  if (reason === 'timeout') {
    return new PersonError(`${command} failed because the app did not respond (operation_timeout).`);
  }
  return new PersonError(`${command} failed: the app could not be reached or refused it (dispatch_failed).`);
}

/** Sends a slash command to the app, and shows what it answers with its acknowledgement. */
export function runCommand(context: WorkspaceContext, input: CommandRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, channel } = personIn(context, input.as, input.channel);
    const { command } = input;
    if (!context.manifest.commands.some((known) => known.command === command)) {
      throw new PersonError(`${command} is not a valid command: no app in this workspace has it.`);
    }
    const ack = await context.send('slash_commands', {
      token: VERIFICATION_TOKEN,
      team_id: context.team.id,
      team_domain: context.team.domain,
      channel_id: channel.id,
      channel_name: channelName(channel),
      user_id: user.id,
      user_name: user.name,
      command,
      text: input.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      api_app_id: context.app.id,
      is_enterprise_install: 'false',
      response_url: makeResponseUrl(context, channel.id, user.id, null),
      trigger_id: context.triggers.issue(user.id),
    });
    if (!ack.ok) throw failure(command, ack.reason);
    if (ack.body === undefined || Object.keys(ack.body).length === 0) return;
    try {
      applyReply(context, { channel, user: user.id, message_ts: null }, ack.body);
    } catch (cause) {
      if (!(cause instanceof SlackError)) throw cause;
      throw new PersonError(`${command} failed: Slack refused the app's answer, ${describe(cause)}.`);
    }
  });
}
