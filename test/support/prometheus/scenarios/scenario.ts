import { type Fault, type Part, World } from '../world.ts';

/** Something that happens in somebody else's system, and what people should be told. */
export interface Scenario {
  name: string;
  make(triggeredAt: number): World;
  issue: { title: string; description?: string; service?: string; host?: string; tags?: string[] };
  /** The place as telemetry names it, and the kind in the usual words; `null` where nothing is wrong. */
  expected: { place: string; kind: RegExp } | null;
  /** As in a rule file. */
  rules?: object;
}

export const MINUTE = 60_000;

export const GRID: readonly Part[] = [
  { name: 'meter-intake', calls: ['tariff-engine'], rate: 60, latency: 0.12 },
  { name: 'outage-map', calls: ['tariff-engine'], rate: 20, latency: 0.2 },
  { name: 'tariff-engine', calls: ['grid-ledger'], rate: 70, latency: 0.06 },
  { name: 'grid-ledger', calls: [], rate: 50, latency: 0.02 },
  { name: 'crew-roster', calls: [], rate: 8, latency: 0.04 },
];
export const LAB: readonly Part[] = [
  { name: 'specimen-desk', calls: ['assay-runner', 'result-mailer'], rate: 30, latency: 0.15 },
  { name: 'assay-runner', calls: ['spectra-store', 'reagent-stock'], rate: 40, latency: 0.08, instances: 3 },
  { name: 'spectra-store', calls: [], rate: 40, latency: 0.03 },
  { name: 'reagent-stock', calls: [], rate: 15, latency: 0.02 },
  { name: 'result-mailer', calls: [], rate: 6, latency: 0.05 },
];
export const ORBIT: readonly Part[] = [
  { name: 'downlink', calls: ['pass-planner'], rate: 25, latency: 0.2 },
  { name: 'pass-planner', calls: ['orbit-solver'], rate: 30, latency: 0.12 },
  { name: 'orbit-solver', calls: ['ephemeris'], rate: 45, latency: 0.07, instances: 4 },
  { name: 'ephemeris', calls: [], rate: 60, latency: 0.02 },
];

export function made(
  parts: readonly Part[],
  namespace: string,
  fault: Fault | null,
  write: (world: World) => void,
) {
  return (triggeredAt: number) => {
    const world = new World(parts, { triggeredAt, namespace, fault });
    write(world);
    return world;
  };
}
