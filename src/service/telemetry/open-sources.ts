import type { Clock } from '../../lib/clock.ts';
import { type RunningService, type ServiceOptions, startService } from '../server.ts';
import { createArgoCdSource, createGitHubSource, createGrafanaSource } from './changes.ts';
import { combine } from './combined.ts';
import { createJaegerSource } from './jaeger.ts';
import { createKubernetesSource } from './kubernetes.ts';
import { createLokiSource } from './loki.ts';
import { createPrometheusSource } from './prometheus/source.ts';
import type { TelemetrySettings } from './settings.ts';
import type { TelemetrySource } from './source.ts';
import { createTempoSource } from './tempo.ts';

/** The configured sources as one, and how to close their connections. */
interface OpenSources {
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

/** Starts the service on the configured sources. A failing source never keeps it from starting. */
export async function startOverTelemetry(
  options: Omit<ServiceOptions, 'telemetry' | 'limits' | 'clock' | 'changesToken'>,
  settings: TelemetrySettings,
  clock: Clock,
): Promise<RunningService> {
  const { source, close } = openSources(settings, clock);
  const service = await startService({
    ...options,
    telemetry: source,
    limits: settings.limits,
    changesToken: settings.changesToken,
    clock,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...service,
    close: async () => {
      await service.close();
      await close();
    },
  };
}
