import type { WebClient } from '@slack/web-api';
import { backoffMs, type Clock } from '../../lib/clock.ts';
import { OperatorError } from '../../lib/io.ts';
import type { Logger } from '../shared/log.ts';
import type { Identity } from './app.ts';
import { classifySlackError, terminalSlackError } from './errors.ts';

const RETRY = { firstMs: 500, maxMs: 30_000 };

/** Slack will never take this token; the message is for the operator. */
class SlackRefusedError extends OperatorError {
  override name = 'SlackRefusedError';
}

/** Who we are, and where: also the address that permalinks begin with. */
export interface WorkspaceIdentity extends Identity {
  /** `https://<workspace>.slack.com/` */
  workspaceUrl: string;
}

/**
 * Asks Slack who the bot is, again and again while Slack is out of reach.
 *
 * @throws SlackRefusedError when the token is no good, or is not a bot's.
 */
export async function identify(
  client: WebClient,
  options: { clock: Clock; random: () => number; log: Logger; signal: AbortSignal },
): Promise<WorkspaceIdentity> {
  for (let attempt = 0; ; attempt += 1) {
    options.signal.throwIfAborted();
    try {
      const { user_id, bot_id, team_id, url } = await client.auth.test();
      if (!user_id || !bot_id || !team_id) {
        throw new SlackRefusedError(
          'SLACK_BOT_TOKEN is not a bot token. Copy the Bot User OAuth Token (xoxb-…) from OAuth & Permissions.',
        );
      }
      return {
        botUserId: user_id,
        botId: bot_id,
        teamId: team_id,
        workspaceUrl: url ?? 'https://slack.com/',
      };
    } catch (error) {
      if (error instanceof SlackRefusedError) throw error;
      const terminal = terminalSlackError(error, 'SLACK_BOT_TOKEN');
      if (terminal) throw new SlackRefusedError(terminal, { cause: error });
      const failure = classifySlackError(error);
      const wait =
        failure.kind === 'rate_limited' ? failure.retryAfterMs : backoffMs(attempt, RETRY, options.random);
      options.log.warn({ reason: failure, waitMs: wait }, 'cannot reach Slack yet; retrying');
      await options.clock.sleep(wait, options.signal);
    }
  }
}
