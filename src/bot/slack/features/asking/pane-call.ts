import { classifySlackError } from '../../errors.ts';
import type { ListenerDeps } from '../../listening/deps.ts';

/** A method that only works in the pane. */
type PaneMethod = 'assistant.threads.setSuggestedPrompts' | 'assistant.threads.setTitle';

/**
 * Calls a method of the assistant pane or the Messages tab. If the pane is not enabled or Slack refuses, everything
 * else still works, so a failure is counted and never thrown.
 *
 * @returns Slack's error code; `null` if the call succeeded or Slack could not be reached
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
