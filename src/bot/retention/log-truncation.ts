import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { createWorkerLoop, type Worker } from '../../lib/worker-loop.ts';
import type { Store } from '../store/open.ts';

const EVERY_MS = 60_000;
/** Slack sends its events within seconds; during an outage of Slack, later. */
const AFTER_DELETION_MS = 60 * 60_000;

interface LogTruncationOptions {
  store: Pick<Store, 'issues' | 'truncateLog'>;
  clock: Clock;
  log: Pick<Logger, 'error'>;
}

/**
 * Truncates the write-ahead log once a minute for an hour after an issue was deleted. Once, at the deletion, is not
 * enough: our edits of its messages follow, and Slack's events about them repeat what the messages said before. They are
 * stored like any delivery, and their bodies are dropped once they are handled, but not in the log.
 */
export function createLogTruncation({ store, clock, log }: LogTruncationOptions): Worker {
  return createWorkerLoop({
    round: async () => {
      if (await store.issues.isAnyGoneSince(clock.now() - AFTER_DELETION_MS)) await store.truncateLog();
    },
    rest: (signal) => clock.sleep(EVERY_MS, signal),
    onError: (error) =>
      log.error({ err: error }, 'could not truncate the write-ahead log, which still contains deleted text'),
  });
}
