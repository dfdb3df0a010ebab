import type { Artifact, InvestigationResults } from '../../contract/answers.ts';
import { FAULT_PLACES, type Fault, type FaultKind } from '../../sandbox/shop/faults.ts';
import { createShop } from '../../sandbox/shop/shop.ts';
import { investigate } from '../../service/investigation/investigate.ts';
import { UNLIMITED } from '../../service/telemetry/budget.ts';

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 5, 2, 14, 20);

/** A fault of the shop, as the embedded service understands it. */
export interface Investigated {
  kind: FaultKind;
  triggeredAt: number;
  results: InvestigationResults;
  artifacts: Artifact[];
}

/** One investigation for each kind of fault, felt by the service that people see. */
export async function investigations(): Promise<Investigated[]> {
  const kinds: FaultKind[] = [
    'bad_deploy',
    'connection_pool',
    'memory_leak',
    'slow_query',
    'disk_full',
    'certificate_expiry',
    'queue_backlog',
    'config_change',
  ];
  return Promise.all(
    kinds.map(async (kind, index) => {
      const fault: Fault = { kind, service: FAULT_PLACES[kind][0], from: FROM, to: FROM + 25 * MINUTE };
      const shop = createShop({ seed: 7 + index, injected: () => [fault], recurring: false });
      const triggeredAt = FROM + 8 * MINUTE;
      let count = 0;
      const { results, artifacts } = await investigate(
        {
          title: 'Checkout is slow',
          description: 'An alert.',
          environment: 'production',
          triggeredAt,
          service: kind === 'queue_backlog' ? 'order-queue' : 'gateway',
          context: {},
        },
        shop,
        { id: () => `${kind} ${++count}`, now: triggeredAt + 5 * MINUTE, budget: UNLIMITED },
      );
      return { kind, triggeredAt, results: { ...results }, artifacts: artifacts.map((one) => ({ ...one })) };
    }),
  );
}
