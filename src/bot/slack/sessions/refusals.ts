import type { Clock } from '../../../lib/clock.ts';
import type { Logger } from '../../../lib/log.ts';

/** The app may be declared an agent, and the plan may change, at any time: so often it is found out. */
const ASK_AGAIN_MS = 60 * 60_000;
const MOST = 1_000;

/** What Slack does not do for this app, or in a conversation, until it is asked again. */
export interface Refusals {
  has(what: string): boolean;
  /**
   * Slack has refused it: it is not asked for an hour.
   *
   * @param consequence what happens instead, for the log, which is told once for each sentence
   */
  add(what: string, error: unknown, consequence: string): void;
}

export function createRefusals({ clock, log }: { clock: Clock; log: Pick<Logger, 'info'> }): Refusals {
  const until = new Map<string, number>();
  const told = new Set<string>();
  return {
    has: (what) => (until.get(what) ?? 0) > clock.now(),
    add: (what, error, consequence) => {
      if (until.size >= MOST) until.clear();
      until.set(what, clock.now() + ASK_AGAIN_MS);
      if (told.has(consequence)) return;
      told.add(consequence);
      log.info({ err: error }, consequence);
    },
  };
}
