import { createTask } from 'node-cron';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';

const SECOND_MS = 1_000;
/** How far ahead the next poll is looked for at once: a rare one is looked for again a minute later. */
const HORIZON_MS = 60_000;
/** A poll that starts later than this is worth a line in the log. */
const TOLERATED_MS = 1_000;

/**
 * Runs `poll` at the times of a cron expression, in the process's time zone, until it is stopped. After the process was busy,
 * or the machine asleep, it polls once for all the times that went by. A poll is not waited for: the poller itself skips one
 * while another is running.
 */
export function createPollSchedule(
  expression: string,
  poll: () => Promise<unknown>,
  { clock, log }: { clock: Clock; log: Logger },
): { stop(): void } {
  // It is never started: node-cron knows which times match, and our own clock does the waiting.
  const times = createTask(expression, () => undefined);
  const stopping = new AbortController();

  /** The first match after a moment, or the end of the horizon where there is none. */
  function lookAhead(from: number): { at: number; isMatch: boolean } {
    let at = Math.floor(from / SECOND_MS) * SECOND_MS;
    let isMatch = false;
    while (!isMatch && at < from + HORIZON_MS) {
      at += SECOND_MS;
      isMatch = times.match(new Date(at));
    }
    return { at, isMatch };
  }

  async function run(): Promise<void> {
    let from = clock.now();
    for (;;) {
      const { at, isMatch } = lookAhead(from);
      await clock.sleep(Math.max(0, at - clock.now()), stopping.signal);
      const lateMs = clock.now() - at;
      if (isMatch) {
        if (lateMs > TOLERATED_MS) {
          log.warn({ lateMs }, 'missed a scheduled poll and polls now: the process was busy at its time');
        }
        poll().catch((error: unknown) => log.error({ err: error }, 'a scheduled poll failed'));
      }
      // A timer may end a moment early, which must not make the same time match twice; a clock that was set back is followed.
      from = lateMs < -SECOND_MS ? clock.now() : at + (isMatch ? Math.max(0, lateMs) : 0);
    }
  }

  run().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ err: error }, 'the poll schedule ended: restart Gumshoe');
  });
  return {
    stop: () => {
      stopping.abort();
      void times.destroy();
    },
  };
}
