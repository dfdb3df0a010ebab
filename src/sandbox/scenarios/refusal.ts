import { OperatorError } from '../../lib/operator-error.ts';
import type { PageOutcome } from '../slack/page-api.ts';
import { SlackError } from '../slack/slack-error.ts';

/** What somebody asked for cannot be done; the message is a sentence for them. */
export class Refusal extends OperatorError {
  override name = 'Refusal';
}

const SLACK_ERRORS: Readonly<Record<string, string>> = {
  is_archived: 'This channel is archived: choose another one.',
  channel_not_found: 'There is no such channel: choose another one.',
  message_not_found: 'The message of that alert is gone: play the alert anew.',
  thread_not_found: 'The message of that alert is gone: play the alert anew.',
};

/** What becomes of a wish: a refusal is its sentence; any other failure is thrown on. */
export async function outcomeOf(work: () => Promise<void> | void): Promise<PageOutcome> {
  try {
    await work();
    return { ok: true };
  } catch (error) {
    if (error instanceof OperatorError) return { ok: false, error: error.message };
    if (error instanceof SlackError)
      return {
        ok: false,
        error: SLACK_ERRORS[error.code] ?? `The local Slack refused the message: ${error.code}.`,
      };
    throw error;
  }
}
