import type { Clock } from '../../lib/clock.ts';
import { openEntries } from '../../lib/owners.ts';
import { type RunningService, type ServiceOptions, startService } from '../server.ts';
import { onBudget } from './budget.ts';
import { createArgoCdSource } from './changes/argocd.ts';
import { createGitHubSource } from './changes/github.ts';
import { createGitLabSource } from './changes/gitlab.ts';
import { createClustersSource } from './clusters.ts';
import { combine } from './combined.ts';
import { createElasticsearchSource } from './elasticsearch.ts';
import { createGrafanaSource, type SourceKind } from './grafana.ts';
import { createJaegerSource } from './jaeger.ts';
import { createJournaldSource } from './journald.ts';
import { createLogFilesSource } from './log-files.ts';
import { createLokiSource } from './loki.ts';
import { createPrometheusSource } from './prometheus/source.ts';
import { publicAddress } from './public-address.ts';
import type { TelemetrySettings } from './settings.ts';
import type { OpenSource, TelemetrySource } from './source.ts';
import { createStatusPages } from './status-pages.ts';
import { createTempoSource } from './tempo.ts';
import { createVictoriaLogsSource } from './victorialogs.ts';

type Addressed = {
  [K in keyof TelemetrySettings]: TelemetrySettings[K] extends { url: string } | null ? K : never;
}[keyof TelemetrySettings];

/** The sources that have an address. Prometheus comes first: it names the services. */
export const SOURCE_KINDS: readonly (SourceKind & { name: Addressed })[] = [
  {
    name: 'prometheus',
    inGrafana: [
      'prometheus',
      'victoriametrics-metrics-datasource',
      'grafana-amazonprometheus-datasource',
      'grafana-azureprometheus-datasource',
    ],
    open: createPrometheusSource,
  },
  { name: 'loki', inGrafana: ['loki'], open: createLokiSource },
  { name: 'victorialogs', inGrafana: ['victoriametrics-logs-datasource'], open: createVictoriaLogsSource },
  {
    name: 'elasticsearch',
    inGrafana: ['elasticsearch', 'grafana-opensearch-datasource'],
    open: createElasticsearchSource,
  },
  { name: 'tempo', inGrafana: ['tempo'], open: createTempoSource },
  { name: 'jaeger', inGrafana: ['jaeger'], open: createJaegerSource },
  { name: 'argocd', inGrafana: [], open: createArgoCdSource },
];

/** The configured sources as one, and how to close their connections. */
interface OpenSources {
  source: TelemetrySource;
  each: readonly TelemetrySource[];
  close(): Promise<void>;
}

/** Opens every configured source; none is queried before the first investigation. */
export function openSources(settings: TelemetrySettings, clock: Clock): OpenSources {
  const {
    kubernetes,
    github,
    gitlab,
    grafanaUrl: url,
    grafanaToken: token,
    grafanaDatasources: datasources,
    signals,
    tenantLabel,
    actions,
  } = settings;
  const open = url === null ? null : publicAddress(url, settings.grafanaPublicUrl);
  const explore = open === null ? null : { url: open };
  const repositories = [
    ...(github === null ? [] : [createGitHubSource(github)]),
    ...(gitlab === null ? [] : [createGitLabSource(gitlab)]),
  ];
  const opened = SOURCE_KINDS.flatMap(({ name, open }) => {
    const address = settings[name];
    return address === null
      ? []
      : [{ name, source: open(address, { clock, explore, repositories, signals, tenantLabel }) }];
  });
  const configured = new Set(opened.map(({ name }) => name));
  const own = opened.map(({ source }) => source);
  const [first, rest] = configured.has('prometheus') ? [own.slice(0, 1), own.slice(1)] : [[], own];
  const sources: OpenSource[] = [
    ...first,
    ...(url !== null && token !== null
      ? [
          createGrafanaSource(
            { url, publicUrl: open, token, datasources, signals, tenantLabel },
            { clock, kinds: SOURCE_KINDS, configured },
          ),
        ]
      : []),
    ...(settings.logFiles.length === 0 ? [] : [createLogFilesSource(settings.logFiles, { clock })]),
    ...(settings.journald ? [createJournaldSource({ clock })] : []),
    ...(settings.statusPages.length === 0 ? [] : [createStatusPages(settings.statusPages)]),
    ...(kubernetes === null ? [] : [createClustersSource(kubernetes, { clock })]),
    ...rest,
    ...repositories,
  ];
  return {
    source: { ...combine(sources), ...(tenantLabel !== null && { tenantLabel }), actions },
    each: sources,
    close: async () => {
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}

/** What a source that cannot be read at the start costs at most. */
const CHECK = { requests: 100, ms: 15_000 };

/**
 * Starts the service on the configured sources. A failing source never keeps it from starting, but `onUnreachable` gets a
 * sentence.
 */
export async function startOverTelemetry(
  options: Omit<
    ServiceOptions,
    'telemetry' | 'limits' | 'clock' | 'changesToken' | 'changesSecrets' | 'databases'
  >,
  settings: TelemetrySettings,
  clock: Clock,
  onUnreachable: (sentence: string) => void,
): Promise<RunningService> {
  const { source, each, close } = openSources(settings, clock);
  const owners = options.log === undefined ? [] : await openEntries(settings.ownersFile, options.log);
  const service = await startService({
    ...options,
    telemetry: { ...source, owners },
    limits: settings.limits,
    databases: settings.databases,
    changesToken: settings.changesToken,
    changesSecrets: settings.changesSecrets,
    clock,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  let isOpen = true;
  const report = (sentence: string) => {
    if (isOpen) onUnreachable(sentence);
  };
  for (const one of each) void checkAtStart(one, clock, report);
  return {
    ...service,
    close: async () => {
      isOpen = false;
      await service.close();
      await close();
    },
  };
}

async function checkAtStart(
  source: TelemetrySource,
  clock: Clock,
  onUnreachable: (sentence: string) => void,
): Promise<void> {
  try {
    const { ok, summary } = await onBudget(CHECK, { clock }, source.check);
    if (!ok) onUnreachable(summary);
  } catch (error) {
    onUnreachable(
      `${source.name} could not be checked: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
