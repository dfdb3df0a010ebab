import type { Clock } from '../../src/lib/clock.ts';
import { known } from '../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../src/service/telemetry/source.ts';

/**
 * A source that takes this long for an investigation, in milliseconds of the clock; questions, which look up no alert's
 * rule, are answered at once. The limits of the investigation apply.
 */
export function slowTelemetry(
  ms: number | (() => number),
  clock: Clock,
): (source: TelemetrySource) => TelemetrySource {
  return (source) => ({
    ...source,
    alertRule: async (_, { signal }) => {
      await clock.sleep(typeof ms === 'number' ? ms : ms(), signal).catch(() => undefined);
      return known(null);
    },
    evaluate: async () => known([]),
  });
}

/** A source that answers at once, where a test would else have a slow one. */
export const atOnce = (source: TelemetrySource): TelemetrySource => source;
