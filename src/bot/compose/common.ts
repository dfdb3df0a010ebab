import type { Checkpoint } from '../../lib/checkpoint.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Lifecycle } from '../../lib/lifecycle.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Config, ServiceConfig, SlackConfig } from '../config/config.ts';
import type { Degraded } from '../health/degraded.ts';
import type { Health } from '../health/health.ts';
import type { Gaps } from '../slack/backfill/gaps.ts';
import type { StatusTracker } from '../slack/status-tracker.ts';
import type { Blocker } from '../store/blockers.ts';
import type { Store } from '../store/open.ts';
import type { Wakeups } from '../store/wakeups.ts';

/** A configuration in which nothing is left to embed. */
export type CompleteConfig = Config & { slack: SlackConfig; service: ServiceConfig };

/** What most parts are made with. */
export interface Common {
  store: Store;
  clock: Clock;
  random: () => number;
  log: Logger;
  metrics: Metrics;
  checkpoint: Checkpoint;
}

/** What one part tells and others ask. It is there before any of them. */
export interface Shared {
  config: CompleteConfig;
  lifecycle: Lifecycle;
  wakeups: Wakeups;
  degraded: Degraded;
  health: Health;
  statusTracker: StatusTracker;
  gaps: Gaps;
  /** What does not work in Slack, by name. */
  openBlockers: Map<string, Blocker>;
}
