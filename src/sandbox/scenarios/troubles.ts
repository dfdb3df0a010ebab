import { FAULT_PLACES, type FaultKind } from '../shop/faults.ts';

/** One kind of fault of the shop, in words for people. */
interface Trouble {
  kind: FaultKind;
  title: string;
  /** What a monitoring tool notices of it first. */
  symptom: string;
}

const WORDS: readonly Trouble[] = [
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
export const TROUBLES: readonly (Trouble & { services: readonly string[] })[] = WORDS.map((words) => ({
  ...words,
  services: FAULT_PLACES[words.kind],
}));

/** What tools notice of a kind of fault. */
export function symptomOf(kind: FaultKind): string {
  return TROUBLES.find((one) => one.kind === kind)?.symptom ?? 'Requests fail';
}
