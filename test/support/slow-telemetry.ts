import type { Clock } from '../../src/lib/clock.ts';
import type { TelemetrySource } from '../../src/service/telemetry/source.ts';

/** A source that takes its time before it says anything: an investigation of it runs for as long. */
export function slowTelemetry(clock: Clock, ms: number): (source: TelemetrySource) => TelemetrySource {
  return (source) => ({
    ...source,
    services: async (window, budget) => {
      await clock.sleep(ms, budget.signal).catch(() => undefined);
      return source.services(window, budget);
    },
  });
}
