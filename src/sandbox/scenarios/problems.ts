import type { Clock } from '../../lib/clock.ts';
import { FAULT_PLACES, type Fault, type FaultKind } from '../shop/faults.ts';
import type { Problem } from './tools/problem.ts';

/** One kind of fault of the shop, in words for people. */
interface ShopFault {
  kind: FaultKind;
  title: string;
  /** What a monitoring tool notices of it first. */
  symptom: string;
}

const DESCRIPTIONS: readonly ShopFault[] = [
  { kind: 'bad_deploy', title: 'A bad deploy', symptom: 'High error rate' },
  { kind: 'config_change', title: 'A wrong setting', symptom: 'Requests fail' },
  { kind: 'connection_pool', title: 'No free connections', symptom: 'Connections used up' },
  { kind: 'memory_leak', title: 'A memory leak', symptom: 'Memory almost used up' },
  { kind: 'slow_query', title: 'A slow query', symptom: 'High latency' },
  { kind: 'disk_full', title: 'A full disk', symptom: 'Disk almost full' },
  { kind: 'certificate_expiry', title: 'An expired certificate', symptom: 'TLS handshakes fail' },
  { kind: 'queue_backlog', title: 'A queue that grows', symptom: 'Queue grows' },
];

/** Everything that can be broken, and where. */
export const SHOP_FAULTS: readonly (ShopFault & { services: readonly string[] })[] = DESCRIPTIONS.map(
  (words) => ({
    ...words,
    services: FAULT_PLACES[words.kind],
  }),
);

/** What tools notice of a kind of fault. */
function symptomOf(kind: FaultKind): string {
  return SHOP_FAULTS.find((one) => one.kind === kind)?.symptom ?? 'Requests fail';
}

/** Invents what alerts are about: every call is another problem. */
export type Problems = (about?: Partial<Pick<Problem, 'service' | 'symptom'>>) => Problem;

/**
 * Problems of what is broken in the shop; while nothing is, of one service after the other. The numbers go on where an
 * earlier start of the program left off, as long as it made fewer than ten a second.
 *
 * @param broken what the next alert is about, if anything is broken
 */
export function createProblems(clock: Clock, broken: () => Fault | undefined): Problems {
  let number = 100_000 + (Math.floor(clock.now() / 100) % 900_000);
  let turn = 0;
  return (about) => {
    number = number < 999_999 ? number + 1 : 100_000;
    const fault = broken();
    const place = fault
      ? { service: fault.service, symptom: symptomOf(fault.kind) }
      : HEALTHY_SHOP[turn++ % HEALTHY_SHOP.length];
    return { service: 'payments', symptom: 'Requests fail', ...place, ...about, number, since: clock.now() };
  };
}

const HEALTHY_SHOP = SHOP_FAULTS.flatMap(({ services, symptom }) =>
  services.map((service) => ({ service, symptom })),
);
