import { known } from './model.ts';
import type { TelemetrySource } from './source.ts';

/**
 * A source that only has some kinds of telemetry. It returns nothing for the others, which is no gap: nobody expects
 * metrics from log storage.
 */
export function partialSource(
  given: Pick<TelemetrySource, 'name' | 'check'> & Partial<TelemetrySource>,
): TelemetrySource {
  return {
    pastMs: 0,
    services: async () => known([]),
    edges: async () => known([]),
    signals: async () => known([]),
    series: async () => known([]),
    logs: async () => known([]),
    spans: async () => known([]),
    changes: async () => known([]),
    ...given,
  };
}
