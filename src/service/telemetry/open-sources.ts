import type { Clock } from '../../lib/clock.ts';
import { combine } from './combined.ts';
import { createPrometheusSource } from './prometheus/source.ts';
import type { TelemetrySettings } from './settings.ts';
import type { TelemetrySource } from './source.ts';

/** The configured sources as one, and what closes their connections. */
export interface OpenSources {
  source: TelemetrySource;
  close(): Promise<void>;
}

/** Opens every source that is configured; nothing is asked of them before the first investigation. */
export function openSources(settings: TelemetrySettings, clock: Clock): OpenSources {
  const { prometheus, grafanaUrl } = settings;
  const sources = prometheus === null ? [] : [createPrometheusSource(prometheus, { grafanaUrl, clock })];
  return {
    source: combine(sources),
    close: async () => {
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}
