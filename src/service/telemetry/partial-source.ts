import { known } from './model.ts';
import type { TelemetrySource } from './source.ts';

/**
 * A source that tells of some things only. Of the rest it has none, and nobody expects it to: that log storage has no
 * metrics is no gap.
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
