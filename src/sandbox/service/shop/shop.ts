import type { Telemetry } from '../telemetry.ts';
import type { Fault } from './faults.ts';

/**
 * The simulated shop as telemetry, deterministic by seed and time.
 *
 * @param options.injected the faults that were put in; each suppresses recurring ones within 90 minutes of it
 * @param options.recurring whether the shop has faults of its own (default true)
 */
export function createShop(_options: {
  seed: number;
  injected: () => Fault[];
  recurring?: boolean;
}): Telemetry {
  return {
    services: () => [],
    metricNames: () => [],
    metric: () => [],
    logs: () => [],
    changes: () => [],
    traces: () => [],
  };
}
