import type { FaultKind } from '../service/shop/faults.ts';

/** Something goes wrong in the simulated shop, and a monitoring tool says so in #alerts. */
export interface Scenario {
  /** Begins this many minutes before the alert. */
  minutesBefore: number;
  fault: { kind: FaultKind; service: string; lastsMinutes: number };
  /** Alertmanager's default message for it. */
  alert: { name: string; service: string; labels: string };
}
