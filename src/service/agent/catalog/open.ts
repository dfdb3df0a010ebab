import type { Budget } from '../../telemetry/budget.ts';
import type { TelemetrySource } from '../../telemetry/source.ts';
import { type Catalog, indexOf } from './find.ts';

const HOUR = 3_600_000;
/** New metrics appear with deploys: they can be asked for some minutes later. */
const KEPT_MS = 5 * 60_000;

const kept = new WeakMap<TelemetrySource, { until: number; catalog: Catalog }>();

/** The index of all metrics; `null` where no source lists them. Kept for some minutes. */
export async function openCatalog(
  telemetry: TelemetrySource,
  { now, budget }: { now: number; budget: Budget },
): Promise<Catalog | null> {
  const known = kept.get(telemetry);
  if (known !== undefined && known.until > now && known.until <= now + KEPT_MS) return known.catalog;
  const reading = await telemetry.catalog?.({ from: now - HOUR, to: now + 1 }, budget);
  if (!reading?.known || reading.value.length === 0) return null;
  const catalog = indexOf(reading.value);
  kept.set(telemetry, { until: now + KEPT_MS, catalog });
  return catalog;
}
