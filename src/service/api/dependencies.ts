import type { Clock } from '../../lib/clock.ts';
import type { Runner, TelemetryLimits } from '../investigation/runner.ts';
import type { ServiceLog } from '../log.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { RateLimit } from './rate-limit.ts';

/** What the routes need. */
export interface Dependencies {
  store: Store;
  runner: Runner;
  telemetry: TelemetrySource;
  /** What an investigation, or an answer, may cost the systems that it reads. */
  limits: TelemetryLimits;
  clock: Clock;
  log: ServiceLog;
  metrics: ServiceMetrics;
  /** API keys and the organisation that each belongs to. */
  keys: ReadonlyMap<string, string>;
  /** Lets pipelines report changes; `null`: they cannot. */
  changesToken: string | null;
  /** Undefined: no limit. */
  rateLimit: RateLimit | undefined;
  /** Aborted when the service closes: streams then end without their pauses. */
  closing: AbortSignal;
}
