import type { Checkpoint } from '../../lib/checkpoint.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Lifecycle } from '../../lib/lifecycle.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Config, ServiceConfig, SlackConfig } from '../config.ts';
import type { Degraded, Health } from '../health/health.ts';
import type { ImageRenderer } from '../render/pictures/image-renderer.ts';
import type { Gaps } from '../slack/backfill/gaps.ts';
import type { StatusTracker } from '../slack/status-tracker.ts';
import type { Blocker } from '../store/blockers.ts';
import type { Store } from '../store/open.ts';
import type { Wakeups } from '../store/wakeups.ts';

/** Whether this process does what one process at a time does. */
export interface Lead {
  isHeld(): boolean;
}

/** A configuration with nothing left to embed. */
export type CompleteConfig = Config & { slack: SlackConfig; service: ServiceConfig };

/** What most components need. */
export interface Common {
  store: Store;
  clock: Clock;
  random: () => number;
  log: Logger;
  metrics: Metrics;
  checkpoint: Checkpoint;
  /**
   * Called right before what only the leader does; where no other process could lead, it never throws.
   *
   * @throws NotLeaderError
   */
  assertLeads: () => void;
}

/** State that one component writes and others read; created before all of them. */
export interface Shared {
  config: CompleteConfig;
  lifecycle: Lifecycle;
  wakeups: Wakeups;
  lead: Lead;
  degraded: Degraded;
  health: Health;
  statusTracker: StatusTracker;
  gaps: Gaps;
  /** Where pictures are drawn instead of in a process; `null` for the program's own. */
  imageRenderer: ImageRenderer | null;
  /** Open blockers in Slack, by name. */
  openBlockers: Map<string, Blocker>;
}
