import type { Telemetry, Window } from '../../service/telemetry/telemetry.ts';
import { changesIn } from './changes.ts';
import type { Fault } from './faults.ts';
import { logsOf } from './logs.ts';
import { metricsOf, samples } from './metrics.ts';
import { faultsSeenIn } from './schedule.ts';
import { SHOP } from './topology.ts';
import { tracesOf } from './traces.ts';

/**
 * The simulated shop as telemetry, deterministic by seed and time.
 *
 * @param options.injected the faults that were put in; each suppresses recurring ones within 90 minutes of it
 * @param options.recurring whether the shop has faults of its own (default true)
 */
export function createShop(options: {
  seed: number;
  injected: () => Fault[];
  recurring?: boolean;
}): Telemetry {
  const { seed, injected, recurring = true } = options;
  const faults = (window: Window) => faultsSeenIn(window, { seed, injected, recurring });
  return {
    services: () =>
      Object.entries(SHOP).map(([name, { kind, calls }]) => ({ name, kind, calls: Object.keys(calls) })),
    metricNames: metricsOf,
    metric: (service, name, window) => samples(seed, service, name, window, faults(window)),
    logs: (service, window) => logsOf(seed, service, window, faults(window)),
    changes: (window) => changesIn(seed, window, faults(window)),
    traces: (service, window) => tracesOf(seed, service, window, faults(window)),
  };
}
