import type { Clock } from '../../lib/clock.ts';
import { createArgoCdSource } from './changes/argocd.ts';
import { createGitHubSource } from './changes/github.ts';
import { createGrafanaSource } from './changes/grafana.ts';
import { combine } from './combined.ts';
import { createJaegerSource } from './jaeger/source.ts';
import { createKubernetesSource } from './kubernetes/source.ts';
import { createLokiSource } from './loki/source.ts';
import { createPrometheusSource } from './prometheus/source.ts';
import type { TelemetrySettings } from './settings.ts';
import type { TelemetrySource } from './source.ts';
import { createTempoSource } from './tempo/source.ts';

/** The configured sources as one, and how to close their connections. */
export interface OpenSources {
  source: TelemetrySource;
  /** The individual sources. */
  each: readonly TelemetrySource[];
  close(): Promise<void>;
}

/**
 * Opens every configured source; none is queried before the first investigation. Prometheus comes first: it names the
 * services.
 */
export function openSources(settings: TelemetrySettings, clock: Clock): OpenSources {
  const { prometheus, loki, tempo, jaeger, kubernetes, argocd, github, grafanaUrl, grafanaToken } = settings;
  const sources = [
    prometheus && createPrometheusSource(prometheus, { grafanaUrl, clock }),
    kubernetes === null ? null : createKubernetesSource(kubernetes, { clock }),
    loki && createLokiSource(loki, { clock }),
    tempo && createTempoSource(tempo, { clock }),
    jaeger && createJaegerSource(jaeger),
    argocd && createArgoCdSource(argocd),
    github && createGitHubSource(github),
    grafanaUrl !== null && grafanaToken !== null
      ? createGrafanaSource({ url: grafanaUrl, token: grafanaToken }, { clock })
      : null,
  ].filter((source) => source !== null);
  return {
    source: combine(sources),
    each: sources,
    close: async () => {
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}
