import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../shared/log.ts';
import type { Metrics } from '../../shared/metrics.ts';
import { classifySlackError } from '../errors.ts';
import { type Call, LONGEST_BLOCK_MS, type Pace } from './pace.ts';

export interface Slack {
  client: WebClient;
  pace: Pace;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** Throws where another process posts by now. */
  assertLeads?: () => void;
  /** Sends a file's bytes to the URL that Slack names; the global `fetch` by default. */
  fetch?: typeof globalThis.fetch;
}

/** The call was not made: it has to wait for Slack's rate limit. */
export class TooEarly extends Error {
  override name = 'TooEarly';
  readonly until: number;
  constructor(until: number) {
    super('waiting for Slack’s rate limit');
    this.until = until;
  }
}

/**
 * Makes one Web API call within Slack's rate limits.
 *
 * @throws TooEarly without calling, if the rate limit does not allow it yet or Slack answered 429.
 */
export async function call<T>(
  slack: Slack,
  which: Call,
  make: (client: WebClient) => Promise<T>,
): Promise<T> {
  const now = slack.clock.now();
  const earliest = slack.pace.earliest(which, now);
  if (earliest > now) throw new TooEarly(earliest);
  slack.pace.took(which, now);
  slack.assertLeads?.();
  try {
    const answer = await make(slack.client);
    slack.metrics.count('gumshoe_slack_calls_total', { method: which.method, outcome: 'ok' });
    return answer;
  } catch (error) {
    const failure = classifySlackError(error);
    const outcome = failure.kind === 'refused' ? failure.error : failure.kind;
    slack.metrics.count('gumshoe_slack_calls_total', { method: which.method, outcome });
    if (failure.kind !== 'rate_limited') throw error;
    const until = slack.clock.now() + Math.min(failure.retryAfterMs, LONGEST_BLOCK_MS);
    slack.pace.blocked(which, until);
    throw new TooEarly(until);
  }
}

/** Only a post with an unknown outcome keeps its mark, which makes the next attempt search the thread first. */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof TooEarly) && classifySlackError(error).kind === 'ambiguous';
}
