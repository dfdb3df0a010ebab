import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from './clock.ts';
import type { Metrics } from './metrics.ts';

const RESOLUTION_MS = 10;
/** A stall is reported for at least this long, so that every scraper of the metrics sees it. */
const SHOWN_MS = 60_000;

/** The longest recent stall of the event loop. */
export interface EventLoopWatch {
  /** The longest stall of the last one to two minutes, or since the previous call if that is longer ago; seconds. */
  lagSeconds(): number;
  close(): void;
}

/**
 * Measures how long the event loop is blocked: while it is, Slack waits for acknowledgements, for three seconds at most.
 *
 * @param delays the histogram of delays between turns, in nanoseconds
 */
export function watchEventLoop(
  clock: Pick<Clock, 'now'>,
  delays: Pick<
    ReturnType<typeof monitorEventLoopDelay>,
    'max' | 'count' | 'reset' | 'enable' | 'disable'
  > = monitorEventLoopDelay({
    resolution: RESOLUTION_MS,
  }),
): EventLoopWatch {
  delays.enable();
  let before = 0;
  let since = clock.now();
  return {
    lagSeconds: () => {
      const now = delays.count === 0 ? 0 : Math.max(0, delays.max / 1e9 - RESOLUTION_MS / 1_000);
      const longest = Math.max(before, now);
      if (clock.now() - since >= SHOWN_MS) {
        before = now;
        since = clock.now();
        delays.reset();
      }
      return longest;
    },
    close: () => void delays.disable(),
  };
}

/** Exports it as `gumshoe_event_loop_lag_seconds`. */
export function showEventLoopLag(metrics: Metrics, watch: EventLoopWatch): EventLoopWatch {
  metrics.beforeRead(() => metrics.gauge('gumshoe_event_loop_lag_seconds', watch.lagSeconds()));
  return watch;
}
