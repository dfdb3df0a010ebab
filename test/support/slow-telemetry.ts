import type { Clock } from '../../src/lib/clock.ts';
import type { Budget } from '../../src/service/telemetry/budget.ts';
import { known, type Reading, unknown } from '../../src/service/telemetry/model.ts';
import type { TelemetrySource } from '../../src/service/telemetry/source.ts';

/**
 * A source that takes its time for what is about an alert: an investigation runs for as long, a question does not. Nothing
 * is computed before that time is over, nor for an investigation that was stopped: most tests end before their
 * investigations do.
 */
export function slowTelemetry(clock: Clock, ms: number): (source: TelemetrySource) => TelemetrySource {
  const ofAlerts = new WeakSet<Budget>();
  const waits = new WeakMap<Budget, Promise<void>>();
  async function afterWait<T>(budget: Budget, read: () => Promise<Reading<T>>): Promise<Reading<T>> {
    if (ms <= 0 || !ofAlerts.has(budget)) return read();
    const wait = waits.get(budget) ?? clock.sleep(ms, budget.signal).catch(() => undefined);
    waits.set(budget, wait);
    await wait;
    // Its time may be over too; then it says what it finds, as the source would.
    const isStopped = budget.signal.aborted && budget.signal.reason instanceof DOMException;
    return isStopped ? unknown('the investigation was stopped') : read();
  }
  return (source) => ({
    ...source,
    // Only an investigation asks for its alert's rule.
    alertRule: async (alert, budget) => {
      ofAlerts.add(budget);
      return (await source.alertRule?.(alert, budget)) ?? known(null);
    },
    evaluate: async (expression, window, budget) =>
      (await source.evaluate?.(expression, window, budget)) ?? known([]),
    services: (window, budget) => afterWait(budget, () => source.services(window, budget)),
    series: (query, window, budget) => afterWait(budget, () => source.series(query, window, budget)),
    logs: (service, window, budget) => afterWait(budget, () => source.logs(service, window, budget)),
    spans: (service, window, budget) => afterWait(budget, () => source.spans(service, window, budget)),
  });
}
