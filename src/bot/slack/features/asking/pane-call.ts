import { classifySlackError } from '../../errors.ts';
import type { ListenerDeps } from '../../listening/deps.ts';

/** A method that only the pane has. */
type PaneMethod = 'assistant.threads.setSuggestedPrompts' | 'assistant.threads.setTitle';

/**
 * Does something for the assistant pane or the Messages tab: where it is not enabled, or Slack refuses, all else works
 * without. Counted, and never an error.
 *
 * @returns what Slack refused it with; `null` where it took it, or could not be asked
 */
export async function bestEffort(
  method: PaneMethod,
  make: () => Promise<unknown>,
  { metrics, log }: Pick<ListenerDeps, 'metrics' | 'log'>,
): Promise<unknown> {
  try {
    await make();
    metrics.count('gumshoe_slack_calls_total', { method, outcome: 'ok' });
    return null;
  } catch (error) {
    const failure = classifySlackError(error);
    const outcome = failure.kind === 'refused' ? failure.error : failure.kind;
    metrics.count('gumshoe_slack_calls_total', { method, outcome });
    log.debug({ err: error, method }, 'the assistant pane could not be served');
    return failure.kind === 'refused' ? error : null;
  }
}
