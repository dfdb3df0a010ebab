import type { Clock } from '../../lib/clock.ts';
import { FAULT_PLACES, type Fault, type FaultKind } from '../shop/faults.ts';
import type { Problem } from './tools/tool.ts';

/** How a kind of fault is shown to people. */
interface ShopFault {
  kind: FaultKind;
  title: string;
  /** The symptom that monitoring tools alert on first. */
  symptom: string;
}

const DESCRIPTIONS: readonly ShopFault[] = [
  { kind: 'bad_deploy', title: 'Bad deploy', symptom: 'High error rate' },
  { kind: 'config_change', title: 'Bad config change', symptom: 'Requests fail' },
  { kind: 'connection_pool', title: 'Connection pool exhausted', symptom: 'Connections used up' },
  { kind: 'memory_leak', title: 'Memory leak', symptom: 'Memory almost used up' },
  { kind: 'slow_query', title: 'Slow query', symptom: 'High latency' },
  { kind: 'disk_full', title: 'Full disk', symptom: 'Disk almost full' },
  { kind: 'certificate_expiry', title: 'Expired certificate', symptom: 'TLS handshakes fail' },
  { kind: 'queue_backlog', title: 'Growing queue', symptom: 'Queue grows' },
];

/** Every kind of fault, and the services it can occur in. */
export const SHOP_FAULTS: readonly (ShopFault & { services: readonly string[] })[] = DESCRIPTIONS.map(
  (fault) => ({
    ...fault,
    services: FAULT_PLACES[fault.kind],
  }),
);

/** Makes up what an alert is about; every call returns a new problem. */
export type Problems = (about?: Partial<Pick<Problem, 'service' | 'symptom'>>) => Problem;

/**
 * Problems caused by the active fault of the shop or, while it is healthy, of each service in turn. Numbers continue
 * after a restart, as long as fewer than ten problems a second were made.
 *
 * @param broken the fault that the next alert is about, if any
 */
export function createProblems(clock: Clock, broken: () => Fault | undefined): Problems {
  let number = 100_000 + (Math.floor(clock.now() / 100) % 900_000);
  let turn = 0;
  return (about) => {
    number = number < 999_999 ? number + 1 : 100_000;
    const fault = broken();
    const place = fault
      ? {
          service: fault.service,
          symptom: SHOP_FAULTS.find((one) => one.kind === fault.kind)?.symptom ?? 'Requests fail',
        }
      : HEALTHY_SHOP[turn++ % HEALTHY_SHOP.length];
    return { service: 'payments', symptom: 'Requests fail', ...place, ...about, number };
  };
}

const HEALTHY_SHOP = SHOP_FAULTS.flatMap(({ services, symptom }) =>
  services.map((service) => ({ service, symptom })),
);
