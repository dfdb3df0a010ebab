import type { Clock } from '../../lib/clock.ts';
import type { Runner, TelemetryLimits } from '../investigation/runner.ts';
import type { ServiceLog } from '../log.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { RateLimit } from './rate-limit.ts';

/** The routes' dependencies. */
export interface Dependencies {
  store: Store;
  runner: Runner;
  telemetry: TelemetrySource;
  /** The limits for one investigation or answer on the systems that it reads. */
  limits: TelemetryLimits;
  clock: Clock;
  log: ServiceLog;
  metrics: ServiceMetrics;
  /** API keys and their organisations. */
  keys: ReadonlyMap<string, string>;
  /** The token for pipelines to report changes; `null` disables that. */
  changesToken: string | null;
  /** Undefined: no limit. */
  rateLimit: RateLimit | undefined;
  /** Aborted when the service closes: streams then finish without pauses. */
  closing: AbortSignal;
}
