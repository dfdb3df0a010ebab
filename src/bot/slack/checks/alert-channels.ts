import type { WebClient } from '@slack/web-api';
import { classifySlackError } from '../errors.ts';
import { type CheckResult, failed, passed, slackFailure } from './result.ts';

async function checkChannel(client: WebClient, id: string): Promise<CheckResult> {
  const name = `channel ${id}`;
  try {
    const { channel } = await client.conversations.info({ channel: id });
    if (channel?.is_archived === true) {
      return failed(
        name,
        'it is archived',
        `unarchive it, or remove ${id} from ALERT_CHANNELS, ALERT_ROUTES and OWNERS`,
      );
    }
    if (channel?.is_member !== true) {
      return failed(name, 'Gumshoe is not a member', 'run /invite @Gumshoe in the channel');
    }
    return passed(name, 'Gumshoe is a member');
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused' || failure.error !== 'channel_not_found') {
      return slackFailure(name, error, 'SLACK_BOT_TOKEN');
    }
    return failed(
      name,
      'it does not exist, or it is private and Gumshoe is not a member',
      `run /invite @Gumshoe in it, or correct ${id} in ALERT_CHANNELS, ALERT_ROUTES or OWNERS`,
    );
  }
}

/** Whether the bot is a member of each of these channels. One call a channel, one after the other. */
export async function checkAlertChannels(client: WebClient, ids: readonly string[]): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const id of ids) results.push(await checkChannel(client, id));
  return results;
}
