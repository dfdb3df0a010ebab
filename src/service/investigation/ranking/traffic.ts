import { lowerBound } from '../../../lib/lower-bound.ts';
import type { Series } from '../../telemetry/model.ts';
import { mean } from './statistics.ts';

/** The recent call rates of services: numbers based on few requests say little. */
export interface Traffic {
  /** Requests per second; null if not measured. */
  perSecond(service: string): number | null;
}

/** How many of the newest samples are averaged. */
const NEWEST = 3;

export function trafficOf(series: readonly Series[], trigger: number): Traffic {
  const rates = new Map<string, number>();
  for (const { signal, service, edge, points } of series) {
    if (signal.measure !== 'requests' || edge !== null) continue;
    const end = lowerBound(points.times, trigger + 1);
    const rate = end === 0 ? 0 : mean(points.values.subarray(Math.max(0, end - NEWEST), end));
    rates.set(service, Math.max(rates.get(service) ?? 0, rate));
  }
  return { perSecond: (service) => rates.get(service) ?? null };
}
