import { dirname, join } from 'node:path';
import { systemClock } from '../lib/clock.ts';
import { type RunningService, type ServiceOptions, startService } from '../service/server.ts';
import type { TelemetrySource } from '../service/telemetry/source.ts';
import type { Fault } from './shop/faults.ts';
import { openFaultStore } from './shop/faults.ts';
import { createShop } from './shop/shop.ts';

export interface SimulatedServiceOptions extends Omit<ServiceOptions, 'telemetry'> {
  seed?: number;
  /** Whether the shop has recurring faults of its own (the default), or only injected ones. */
  recurring?: boolean;
  /** The shop as the service is to see it: a test may let it answer slowly. */
  seenAs?: (shop: TelemetrySource) => TelemetrySource;
}

/** The investigation service over the simulated shop. */
export interface SimulatedService extends RunningService {
  /** Injects a fault into the shop; it survives restarts. */
  inject(fault: Fault): void;
  /** All faults injected so far, the oldest first. */
  faults(): Fault[];
  /** Ends the active injected faults. */
  repair(): void;
  /** Moves the start of active faults older than `olderThan` to `from`, both in milliseconds. */
  renew(times: { olderThan: number; from: number }): void;
}

/**
 * Starts the service over the simulated shop, which keeps its injected faults in `shop.db` beside the service's file.
 * Rejects if the port or a file is not available.
 */
export async function startSimulatedService(options: SimulatedServiceOptions): Promise<SimulatedService> {
  const { seed = 1, recurring = true, seenAs = (shop) => shop, ...service } = options;
  const clock = options.clock ?? systemClock;
  const inMemory = options.file === ':memory:';
  const faults = openFaultStore(inMemory ? ':memory:' : join(dirname(options.file), 'shop.db'));
  const telemetry = seenAs(createShop({ seed, injected: faults.all, recurring }));
  try {
    const running = await startService({ ...service, telemetry });
    return {
      ...running,
      inject: faults.add,
      faults: () => [...faults.all()],
      repair: () => faults.endAt(clock.now()),
      renew: (times) => faults.renew({ now: clock.now(), ...times }),
      close: async () => {
        await running.close();
        faults.close();
      },
    };
  } catch (error) {
    faults.close();
    throw error;
  }
}
