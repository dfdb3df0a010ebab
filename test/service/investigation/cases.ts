import { FAULT_PLACES, type Fault, type FaultKind } from '../../../src/demo/shop/faults.ts';
import { createShop } from '../../../src/demo/shop/shop.ts';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import type { Investigation } from '../../../src/service/investigation/types.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import type { TelemetrySource } from '../../../src/service/telemetry/source.ts';

export const MINUTE = 60_000;

export interface Trial {
  seed: number;
  fault: Fault | null;
  service: string | null;
  triggeredAt: number;
}

/** What the investigator calls each kind of fault; the service follows. */
export const NAMES: Readonly<Record<FaultKind, string>> = {
  bad_deploy: 'Bad deploy of',
  certificate_expiry: 'Expired TLS certificate on',
  config_change: 'Bad configuration change on',
  connection_pool: 'Connection-pool exhaustion in',
  disk_full: 'Disk full on',
  memory_leak: 'Memory leak in',
  queue_backlog: 'Queue backlog at',
  slow_query: 'Slow query on',
};

/** One of many trials of a kind: other seed, place, time of day and age of the fault each time. */
export function trialOf(kind: FaultKind, i: number): Trial & { fault: Fault } {
  const places = FAULT_PLACES[kind];
  const service = places[i % places.length] ?? places[0];
  const from = Date.UTC(2026, 5, 1 + (i % 27), (i * 7) % 24, (i * 13) % 60, (i * 17) % 60);
  return {
    seed: 1000 + i,
    fault: { kind, service, from, to: from + 25 * MINUTE },
    service,
    triggeredAt: from + (6 + (i % 8)) * MINUTE,
  };
}

/** Investigates a trial, some seconds after its trigger; ids are numbers, counted up. */
export async function run(
  { seed, fault, service, triggeredAt }: Trial,
  title = 'Something is wrong',
  own: Partial<TelemetrySource> = {},
): Promise<Investigation> {
  const shop = createShop({ seed, injected: () => (fault ? [fault] : []), recurring: false });
  let count = 0;
  return investigate(
    { title, description: 'An alert.', environment: 'production', triggeredAt, service, context: {} },
    { ...shop, ...own },
    { id: () => `id-${++count}`, now: triggeredAt + 5000, budget: UNLIMITED },
  );
}

/** `Bad deploy of payments`, or `nothing`. */
export function causeIn({ results }: Investigation): string {
  return results.causalTreeV2.nodes?.find(({ nodeType }) => nodeType === 'cause')?.title ?? 'nothing';
}
