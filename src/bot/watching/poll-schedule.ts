import { schedule } from 'node-cron';
import type { Logger } from '../../lib/log.ts';

/** Runs `poll` at the times of a cron expression, until it is stopped. What the scheduler reports goes to the log. */
export function createPollSchedule(
  expression: string,
  poll: () => Promise<unknown>,
  log: Logger,
): { stop(): void } {
  const task = schedule(expression, poll, {
    logger: {
      debug: (detail) => log.debug({ detail }, 'poll schedule'),
      info: (detail) => log.info({ detail }, 'poll schedule'),
      // For example that a poll was skipped because the process was busy at its time.
      warn: (detail) => log.warn({ detail }, 'poll schedule'),
      error: (detail, err) => log.error({ err: err ?? detail }, 'poll schedule'),
    },
  });
  return { stop: () => void task.destroy() };
}
