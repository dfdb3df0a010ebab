import { dirname, join } from 'node:path';
import { systemClock } from '../lib/clock.ts';
import { type RunningService, type ServiceOptions, startService } from '../service/api/server.ts';
import { openFaultStore } from './shop/fault-store.ts';
import type { Fault } from './shop/faults.ts';
import { createShop } from './shop/shop.ts';

export interface SimulatedServiceOptions extends Omit<ServiceOptions, 'telemetry'> {
  /** Of the simulated shop. */
  seed?: number;
  /** Whether the shop has faults of its own (the default), or only those that are injected. */
  recurring?: boolean;
}

/** The investigation service over the simulated shop. */
export interface SimulatedService extends RunningService {
  /** Makes something fail in the shop; it stays so over restarts. */
  inject(fault: Fault): void;
  /** What was injected so far, oldest first. */
  faults(): Fault[];
  /** Ends the injected faults that are active now. */
  repair(): void;
  /** Active faults that began before `olderThan` began at `from` instead, both in milliseconds. */
  renew(times: { olderThan: number; from: number }): void;
}

/**
 * Starts the service over the simulated shop, which keeps its injected faults in `shop.db` beside the service's file.
 * Rejects where the port or a file cannot be had.
 */
export async function startSimulatedService(options: SimulatedServiceOptions): Promise<SimulatedService> {
  const { seed = 1, recurring = true, ...service } = options;
  const clock = options.clock ?? systemClock;
  const inMemory = options.file === ':memory:';
  const faults = openFaultStore(inMemory ? ':memory:' : join(dirname(options.file), 'shop.db'));
  const telemetry = createShop({ seed, injected: faults.all, recurring });
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
