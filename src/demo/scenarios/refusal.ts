import { type PageOutcome, SlackError } from 'local-slack';
import { OperatorError } from '../../lib/io.ts';

/** A request that cannot be carried out; the message is a sentence for the person. */
export class Refusal extends OperatorError {
  override name = 'Refusal';
}

const SLACK_ERRORS: Readonly<Record<string, string>> = {
  is_archived: 'This channel is archived. Choose another one.',
  channel_not_found: 'This channel does not exist. Choose another one.',
  message_not_found: 'The message of that alert is gone. Fire a new one.',
  thread_not_found: 'The message of that alert is gone. Fire a new one.',
};

/** Turns refusals into outcomes; rethrows any other error. */
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
