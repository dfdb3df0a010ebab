import type { WebClient } from '@slack/web-api';
import { raceAbort } from '../../../lib/abort.ts';
import { backoffMs } from '../../../lib/backoff.ts';
import { call, TooEarly } from '../delivery/calls.ts';
import type { Call } from '../delivery/pace.ts';
import { classifySlackError } from '../errors.ts';
import type { BackfillDeps } from './deps.ts';

const RETRY = { firstMs: 1_000, maxMs: 30_000 };
const TRIES = 5;
const REFUSALS = new Set(['refused', 'token_refused']);

/**
 * Makes a call that nobody is waiting for: within Slack's rate limit, and retried after transient failures.
 *
 * @throws Slack's error if it refuses, or after five failures; the signal's reason as soon as it is aborted.
 */
export async function backgroundCall<T>(
  deps: BackfillDeps,
  which: Omit<Call, 'background'>,
  make: (client: WebClient) => Promise<T>,
): Promise<T> {
  const { listeners, signal } = deps;
  const slack = { ...listeners, pace: deps.pace };
  for (let tries = 1; ; ) {
    signal.throwIfAborted();
    try {
      // A call that hangs does not delay a shutdown.
      return await raceAbort(signal, call(slack, { ...which, background: true }, make));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TooEarly) {
        await listeners.clock.sleep(Math.max(0, error.until - listeners.clock.now()), signal);
        continue;
      }
      if (REFUSALS.has(classifySlackError(error).kind) || tries === TRIES) throw error;
      await listeners.clock.sleep(backoffMs(tries, RETRY, deps.random), signal);
      tries += 1;
    }
  }
}
