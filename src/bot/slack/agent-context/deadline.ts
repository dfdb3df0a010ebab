import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../lib/clock.ts';
import { call, type Slack, TooEarly } from '../delivery/calls.ts';
import type { Call } from '../delivery/pace.ts';
import { classifySlackError } from '../errors.ts';

const AGAIN_MS = 500;

/** Slack did not give it soon enough: a question does not wait longer for what goes with it. */
export class DeadlineExceeded extends Error {
  override name = 'TooSlow';
}

/** How long something may still take. */
export interface Deadline {
  /** Milliseconds since the epoch. */
  until: number;
  signal: AbortSignal;
}

/**
 * Gives work so many milliseconds.
 *
 * @throws TooSlow when they are over; what the work throws.
 */
export async function within<T>(
  ms: number,
  clock: Clock,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const { signal } = ended;
  const tooLate = clock.sleep(ms, signal).then(() => {
    throw new DeadlineExceeded(`Slack took longer than ${ms / 1000} s`);
  });
  try {
    return await Promise.race([work({ until: clock.now() + ms, signal }), tooLate]);
  } finally {
    ended.abort();
  }
}

/**
 * Makes a call within Slack's pace, and again after a passing failure, as long as the deadline allows.
 *
 * @throws TooSlow at once if Slack's pace would not allow it in time; what Slack refuses.
 */
export async function askSlack<T>(
  slack: Slack,
  which: Call,
  make: (client: WebClient) => Promise<T>,
  { until, signal }: Deadline,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await call(slack, which, make);
    } catch (error) {
      const now = slack.clock.now();
      const again = error instanceof TooEarly ? error.until : now + AGAIN_MS;
      if (!(error instanceof TooEarly) && classifySlackError(error).kind === 'refused') throw error;
      if (again >= until)
        throw new DeadlineExceeded(`Slack does not accept ${which.method} now`, { cause: error });
      await slack.clock.sleep(again - now, signal);
    }
  }
}
