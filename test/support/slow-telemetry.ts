import type { Clock } from '../../src/lib/clock.ts';
import type { Budget } from '../../src/service/telemetry/budget.ts';
import { known } from '../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../src/service/telemetry/source.ts';

/** A source that takes its time for what is about an alert: an investigation runs for as long, a question does not. */
export function slowTelemetry(clock: Clock, ms: number): (source: TelemetrySource) => TelemetrySource {
  const ofAlerts = new WeakSet<Budget>();
  return (source) => ({
    ...source,
    // Only an investigation asks for its alert's rule.
    alertRule: async (alert, budget) => {
      ofAlerts.add(budget);
      return (await source.alertRule?.(alert, budget)) ?? known(null);
    },
    evaluate: async (expression, window, budget) =>
      (await source.evaluate?.(expression, window, budget)) ?? known([]),
    services: async (window, budget) => {
      if (ms > 0 && ofAlerts.has(budget)) await clock.sleep(ms, budget.signal).catch(() => undefined);
      return source.services(window, budget);
    },
  });
}
