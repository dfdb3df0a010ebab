import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../shared/log.ts';

const LOOK_EVERY_MS = 2_000;
/** A server that restarts is away for less, and deliveries wait for it. */
const PATIENCE_MS = 10_000;

export interface PauseOptions {
  /** Whether a delivery could be stored now. */
  canStore: () => Promise<boolean>;
  clock: Clock;
  log: Pick<Logger, 'warn' | 'info'>;
  signal: AbortSignal;
  pause: () => void;
  resume: () => void;
}

/**
 * Slack gives each delivery to one of an app's connections, whether or not that replica can store it. So a replica that
 * has been without its database for ten seconds leaves the deliveries to the others until it has it again.
 */
export async function pauseWhileDatabaseIsDown(options: PauseOptions): Promise<void> {
  const { canStore, clock, log, signal } = options;
  let storedAt = clock.now();
  let isPaused = false;
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    const can = await canStore().catch(() => false);
    if (signal.aborted) return;
    if (can) storedAt = clock.now();
    if (can && isPaused) {
      isPaused = false;
      log.info('the database is back; taking deliveries from Slack again');
      options.resume();
    } else if (!can && !isPaused && clock.now() - storedAt >= PATIENCE_MS) {
      isPaused = true;
      log.warn('cannot reach the database; leaving deliveries from Slack to the other replicas');
      options.pause();
    }
  }
}
