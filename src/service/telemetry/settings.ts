import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import * as read from '../../lib/environment.ts';
import type { Environment } from '../../lib/io.ts';
import { readActions } from '../actions.ts';
import { checkDatabases, databasesOf, databaseVariables } from '../databases/settings.ts';
import { FLAG_TOOLS } from './changes/flag-tools.ts';
import type { ClusterSettings } from './clusters.ts';
import type { LogFiles } from './log-files.ts';
import { readSignals } from './prometheus/own-signals.ts';

const { secretMeta, strongMeta } = read;

const printable = () =>
  read.reader((text) =>
    /^[\x20-\x7e]+$/u.test(text) ? { value: text } : { wrong: 'must be printable ASCII' },
  );

const address = (example: string, what: string) =>
  read
    .baseAddress()
    .optional()
    .meta({ example, description: `The base address of ${what}` });

const publicAddressOf = (example: string, what: string) =>
  read
    .baseAddress()
    .optional()
    .meta({
      example,
      description: `Where people open ${what}, for links; by default its address, unless that is internal`,
    });

const bearer = (what: string) =>
  printable()
    .optional()
    .meta({
      ...secretMeta,
      example: 'a-bearer-token',
      description: `The bearer token for ${what}`,
    });

const user = (what: string) =>
  printable()
    .optional()
    .meta({ example: 'gumshoe', description: `The user for ${what}` });

const password = (name: string) =>
  printable()
    .optional()
    .meta({ ...secretMeta, example: 'a-password', description: `The password of \`${name}\`` });

const tenant = (what: string) =>
  printable()
    .optional()
    .meta({ example: 'acme', description: `The tenant of ${what}, sent as \`X-Scope-OrgID\`` });

const token = (example: string, description: string) =>
  printable()
    .optional()
    .meta({ ...secretMeta, example, description });

const repositoryPaths = (shape: RegExp, what: string) =>
  read.reader((text): { value: string[] } | { wrong: string } => {
    const value = text.split(',').map((path) => path.trim());
    const wrong = value.findIndex((path) => !shape.test(path));
    return wrong < 0
      ? { value }
      : { wrong: `must be ${what}, separated by commas (number ${wrong + 1} is malformed)` };
  });

function inFile<T extends object>(
  path: string,
  readText: (text: string) => T | { wrong: string },
): T | { wrong: string } {
  try {
    return readText(readFileSync(path, 'utf8'));
  } catch (error) {
    return { wrong: `cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
}

/** `service=path` */
function readLogFiles(text: string): { value: LogFiles[] } | { wrong: string } {
  const pairs = text
    .split(',')
    .map((pair) => /^(?<service>[^\s=]+)=(?<path>\/.*[^/\s])$/u.exec(pair.trim())?.groups);
  const value = pairs.flatMap(({ service = '', path = '' } = {}) => (path === '' ? [] : [{ service, path }]));
  return value.length < pairs.length || value.some(({ path }) => dirname(path).includes('*'))
    ? {
        wrong:
          'must be service=path pairs with absolute paths, separated by commas; only the file’s name may have a *',
      }
    : { value };
}

const SIGNING_TOOLS = [...FLAG_TOOLS].flatMap(([name, { signing }]) => (signing === null ? [] : [name]));

/** The name of a tool → its secret. */
function readChangesSecrets(text: string): { value: Record<string, string> } | { wrong: string } {
  const pairs = text.split(',').map((pair) => /^([a-z]+):([^\s:]+)$/u.exec(pair.trim()));
  if (pairs.some((pair) => !SIGNING_TOOLS.includes(pair?.[1] ?? '')))
    return {
      wrong: `must be comma-separated tool:secret pairs, with a tool of ${SIGNING_TOOLS.join(', ')}`,
    };
  return { value: Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''])) };
}

/** What the service investigates: variables of `npm run service`, and of `npm start` where it embeds the service. */
export const telemetryVariables = z.object({
  PROMETHEUS_URL: address(
    'http://prometheus:9090',
    'Prometheus, or of anything with its API; a path prefix is kept',
  ),
  PROMETHEUS_PUBLIC_URL: publicAddressOf('https://prometheus.example.com', 'Prometheus'),
  PROMETHEUS_TOKEN: bearer('Prometheus'),
  PROMETHEUS_USER: user('Prometheus'),
  PROMETHEUS_PASSWORD: password('PROMETHEUS_USER'),
  PROMETHEUS_ORG_ID: tenant('Prometheus'),
  SIGNALS: read
    .reader((path) => {
      const found = inFile(path, readSignals);
      return 'wrong' in found ? found : { value: found.signals };
    })
    .optional()
    .meta({
      example: '/etc/gumshoe/signals',
      description:
        'A file that says what metrics under names of your own measure, one a line: `errors charges_total{outcome="error"}`',
    }),
  ACTIONS: read
    .reader((path) => {
      const found = inFile(path, readActions);
      return 'wrong' in found ? found : { value: found.actions };
    })
    .optional()
    .meta({
      example: '/etc/gumshoe/actions',
      description:
        'A file of your own rollback commands, one a line: `payments bad-deploy ci rollback payments --to {previous}`. It comes first in *Do first*',
    }),
  OWNERS: read.line().optional().meta({
    example: '/etc/gumshoe/OWNERS',
    description: 'The file that the bot reads, too: for questions about owners that come without the bot',
  }),
  LOKI_URL: address('http://loki:3100', 'Loki'),
  LOKI_PUBLIC_URL: publicAddressOf('https://loki.example.com', 'Loki'),
  LOKI_TOKEN: bearer('Loki'),
  LOKI_USER: user('Loki'),
  LOKI_PASSWORD: password('LOKI_USER'),
  LOKI_ORG_ID: tenant('Loki'),
  TEMPO_URL: address('http://tempo:3200', 'Tempo'),
  TEMPO_PUBLIC_URL: publicAddressOf('https://tempo.example.com', 'Tempo'),
  TEMPO_TOKEN: bearer('Tempo'),
  TEMPO_USER: user('Tempo'),
  TEMPO_PASSWORD: password('TEMPO_USER'),
  TEMPO_ORG_ID: tenant('Tempo'),
  JAEGER_URL: address('http://jaeger-query:16686', 'Jaeger'),
  JAEGER_PUBLIC_URL: publicAddressOf('https://jaeger.example.com', 'Jaeger'),
  JAEGER_TOKEN: bearer('Jaeger'),
  JAEGER_USER: user('Jaeger'),
  JAEGER_PASSWORD: password('JAEGER_USER'),
  JAEGER_ORG_ID: tenant('Jaeger'),
  VICTORIALOGS_URL: address('http://victorialogs:9428', 'VictoriaLogs'),
  VICTORIALOGS_PUBLIC_URL: publicAddressOf('https://logs.example.com', 'VictoriaLogs'),
  VICTORIALOGS_TOKEN: bearer('VictoriaLogs'),
  VICTORIALOGS_USER: user('VictoriaLogs'),
  VICTORIALOGS_PASSWORD: password('VICTORIALOGS_USER'),
  ELASTICSEARCH_URL: address(
    'https://elasticsearch.example.com:9200',
    'Elasticsearch or OpenSearch with logs',
  ),
  ELASTICSEARCH_INDEX: read
    .reader((text) =>
      /^[^\s/?#"<>|\\]+$/u.test(text)
        ? { value: text }
        : { wrong: 'must be names or patterns of indices, separated by commas' },
    )
    .optional()
    .meta({
      example: 'logs-*',
      description:
        'The indices with logs: names, aliases, data streams or patterns, separated by commas. By default, where collectors usually write',
    }),
  ELASTICSEARCH_API_KEY: token(
    'an-encoded-api-key',
    'An API key for Elasticsearch, as it is encoded for `Authorization: ApiKey`, instead of a user and a password',
  ),
  ELASTICSEARCH_USER: user('Elasticsearch or OpenSearch'),
  ELASTICSEARCH_PASSWORD: password('ELASTICSEARCH_USER'),
  KUBERNETES: read
    .reader((text): { value: ClusterSettings[] } | { wrong: string } => {
      if (!text.includes('=')) return { value: [{ name: null, where: text }] };
      const value = text.split(',').map((part) => {
        const [name = '', ...where] = part.trim().split('=');
        return { name, where: where.join('=') };
      });
      const names = new Set(value.map(({ name }) => name));
      return names.size < value.length || value.some(({ name, where }) => name === '' || where === '')
        ? { wrong: 'must be name=path, separated by commas, with a name for each cluster' }
        : { value };
    })
    .optional()
    .meta({
      example: 'in-cluster',
      description:
        '`in-cluster`, or the path of a kubeconfig; several as `name=path`, separated by commas, of which an alert’s label `cluster` chooses one. Workloads, events and the state of the cluster are read',
    }),
  ARGOCD_URL: address('https://argocd.example.com', 'Argo CD, whose deploys are changes'),
  ARGOCD_TOKEN: token('a-bearer-token', 'The token of an Argo CD account that may read applications'),
  GITHUB_REPOSITORIES: repositoryPaths(/^[\w.-]+\/[\w.-]+$/u, 'owner/name')
    .optional()
    .meta({
      example: 'acme/cart,acme/search',
      description: 'The repositories whose deployments are changes, separated by commas',
    }),
  GITHUB_API_URL: read.baseAddress().prefault('https://api.github.com').meta({
    example: 'https://github.example.com/api/v3',
    description:
      'The base address of the API of `GITHUB_REPOSITORIES`’ GitHub: of GitHub Enterprise, your own',
  }),
  // A token alone is not an error: many machines have one for other reasons.
  GITHUB_TOKEN: token(
    'github_pat_…',
    'A GitHub token that may read deployments and contents; public repositories need none',
  ),
  GITLAB_URL: read.baseAddress().prefault('https://gitlab.com').meta({
    example: 'https://gitlab.example.com',
    description: 'The base address of the GitLab of `GITLAB_PROJECTS`',
  }),
  GITLAB_PROJECTS: repositoryPaths(/^[\w.-]+(?:\/[\w.-]+)+$/u, 'group/project')
    .optional()
    .meta({
      example: 'acme/cart,acme/shop/search',
      description: 'The projects whose deployments are changes, separated by commas',
    }),
  GITLAB_TOKEN: token(
    'glpat-…',
    'A GitLab token with the scope `read_api`; its user or bot must be a member of the projects',
  ),
  GRAFANA_URL: address('https://grafana.example.com', 'Grafana; metrics then link to its Explore'),
  GRAFANA_PUBLIC_URL: publicAddressOf('https://grafana.example.com', 'Grafana'),
  GRAFANA_TOKEN: token(
    'glsa_…',
    'The token of a Grafana service account (role Viewer): its data sources are then read through Grafana, each as if it were configured here, and its annotations are changes',
  ),
  GRAFANA_DATASOURCES: read
    .reader((text): { value: string[] } | { wrong: string } => {
      const value = text.split(',').map((name) => name.trim());
      return value.includes('') ? { wrong: 'must be names, separated by commas' } : { value };
    })
    .optional()
    .meta({
      example: 'prometheus-production,loki-production',
      description:
        'The names or uids of the data sources to read through Grafana, separated by commas. By default, of several of a type, those that know the alert’s labels',
    }),
  CHANGES_TOKEN: read
    .secret()
    .optional()
    .meta({
      ...strongMeta,
      example: 'a-long-random-text',
      description:
        'The bearer token with which pipelines report changes at `POST /changes`; without it, none are accepted',
    }),
  LOG_FILES: read.reader(readLogFiles).optional().meta({
    example: 'checkout=/var/log/checkout/*.log,payments=/var/log/payments.log',
    description:
      'Log files to read without a log store: `service=path`, separated by commas; the file’s name may have a `*`, and rotated files are read too',
  }),
  STATUS_PAGES: read.hostPages().optional().meta({
    example: 'api.stripe.com=https://status.stripe.com',
    description:
      'Status pages of hosts that your services call (Statuspage, Instatus, Better Stack): `host=address`, separated by commas. Read where calls to that host fail',
  }),
  TENANT_LABEL: read
    .reader((text) =>
      /^[A-Za-z_]\w*$/u.test(text) ? { value: text } : { wrong: 'must be the name of a label of metrics' },
    )
    .optional()
    .meta({
      example: 'customer',
      description:
        'The label of request metrics that names the customer: results then say who is hit most, in the alert’s thread and nowhere else',
    }),
  JOURNALD: read.boolean().optional().meta({
    example: 'true',
    description:
      'With `true`, the journal of this machine is read by `journalctl`, without a log store: `payments.service` is the service `payments`',
  }),
  CHANGES_SECRETS: read
    .reader(readChangesSecrets)
    .optional()
    .meta({
      ...secretMeta,
      example: 'launchdarkly:a-long-random-text,flagsmith:another-long-text',
      description:
        'The secrets with which tools for feature flags sign what they send to `POST /changes/<tool>`: `tool:secret`, separated by commas',
    }),
  ...databaseVariables.shape,
  TELEMETRY_MAX_REQUESTS: read.integer(1, 99_999).prefault('300').meta({
    example: '300',
    description:
      'How many requests one investigation, or one answer of the agent, may send to all sources together',
  }),
});

type Values = z.output<typeof telemetryVariables>;

/** How long the requests of one investigation, or of one answer, may take. */
const MAX_MS = 60_000;

/** The telemetry sources, and the limits for an investigation. */
export type TelemetrySettings = ReturnType<typeof telemetryOf>;

export function telemetryOf(values: Values) {
  const { GITHUB_REPOSITORIES: repositories, GITLAB_PROJECTS: projects } = values;
  return {
    prometheus: storeOf(values, 'PROMETHEUS'),
    /** What the file `SIGNALS` says of Prometheus' metrics. */
    signals: values.SIGNALS ?? [],
    /** The team's own rollback commands, from the `ACTIONS` file. */
    actions: values.ACTIONS ?? [],
    ownersFile: values.OWNERS ?? null,
    loki: storeOf(values, 'LOKI'),
    tempo: storeOf(values, 'TEMPO'),
    jaeger: storeOf(values, 'JAEGER'),
    victorialogs: sourceOf({
      url: values.VICTORIALOGS_URL,
      publicUrl: values.VICTORIALOGS_PUBLIC_URL,
      token: values.VICTORIALOGS_TOKEN,
      user: values.VICTORIALOGS_USER,
      password: values.VICTORIALOGS_PASSWORD,
    }),
    elasticsearch: sourceOf({
      url: values.ELASTICSEARCH_URL,
      index: values.ELASTICSEARCH_INDEX,
      token: values.ELASTICSEARCH_API_KEY,
      scheme: 'ApiKey',
      user: values.ELASTICSEARCH_USER,
      password: values.ELASTICSEARCH_PASSWORD,
    }),
    kubernetes: values.KUBERNETES ?? null,
    argocd: sourceOf({ url: values.ARGOCD_URL, token: values.ARGOCD_TOKEN }),
    github:
      repositories === undefined
        ? null
        : { url: values.GITHUB_API_URL, repositories, token: values.GITHUB_TOKEN },
    gitlab: projects === undefined ? null : { url: values.GITLAB_URL, projects, token: values.GITLAB_TOKEN },
    /** If set, links open in Grafana's Explore. */
    grafanaUrl: values.GRAFANA_URL ?? null,
    grafanaPublicUrl: values.GRAFANA_PUBLIC_URL,
    /** With a token, what this Grafana reads is read through it. */
    grafanaToken: values.GRAFANA_TOKEN ?? null,
    /** Names or uids of data sources; `null` for all. */
    grafanaDatasources: values.GRAFANA_DATASOURCES ?? null,
    /** The token for pipelines to report changes; `null` disables that. */
    changesToken: values.CHANGES_TOKEN ?? null,
    logFiles: values.LOG_FILES ?? [],
    journald: values.JOURNALD ?? false,
    statusPages: values.STATUS_PAGES ?? [],
    /** The label that names a customer. */
    tenantLabel: values.TENANT_LABEL ?? null,
    /** By the names of tools that sign their reports. */
    changesSecrets: values.CHANGES_SECRETS ?? {},
    /** Databases and brokers to look into. */
    databases: databasesOf(values),
    limits: { requests: values.TELEMETRY_MAX_REQUESTS, ms: MAX_MS },
  };
}

function storeOf(values: Values, name: 'PROMETHEUS' | 'LOKI' | 'TEMPO' | 'JAEGER') {
  return sourceOf({
    url: values[`${name}_URL` as const],
    publicUrl: values[`${name}_PUBLIC_URL` as const],
    token: values[`${name}_TOKEN` as const],
    user: values[`${name}_USER` as const],
    password: values[`${name}_PASSWORD` as const],
    orgId: values[`${name}_ORG_ID` as const],
  });
}

function sourceOf<const T extends object>({
  url,
  ...more
}: T & { url: string | undefined }): (Omit<T, 'url'> & { url: string }) | null {
  return url === undefined ? null : { url, ...more };
}

const NEEDS = [
  ['ELASTICSEARCH_API_KEY', 'ELASTICSEARCH_URL'],
  ['ELASTICSEARCH_INDEX', 'ELASTICSEARCH_URL'],
  ['GRAFANA_DATASOURCES', 'GRAFANA_TOKEN'],
  ['PROMETHEUS_PUBLIC_URL', 'PROMETHEUS_URL'],
  ['LOKI_PUBLIC_URL', 'LOKI_URL'],
  ['TEMPO_PUBLIC_URL', 'TEMPO_URL'],
  ['JAEGER_PUBLIC_URL', 'JAEGER_URL'],
  ['VICTORIALOGS_PUBLIC_URL', 'VICTORIALOGS_URL'],
  ['GRAFANA_PUBLIC_URL', 'GRAFANA_URL'],
] as const;

/** Half of a source's variables is a mistake. */
export function checkSources(reading: Pick<read.Reading<unknown>, 'given' | 'refuse'>): void {
  const prefixes = [
    'PROMETHEUS',
    'LOKI',
    'TEMPO',
    'JAEGER',
    'VICTORIALOGS',
    'ELASTICSEARCH',
    'ARGOCD',
    'GRAFANA',
  ];
  for (const prefix of prefixes) read.checkCredentials(reading, prefix);
  const { given, refuse } = reading;
  for (const [name, needed] of NEEDS)
    if (given[name] !== undefined && given[needed] === undefined)
      refuse(needed, `is missing: ${name} is set`);
  if (given.ELASTICSEARCH_API_KEY !== undefined && given.ELASTICSEARCH_USER !== undefined)
    refuse('ELASTICSEARCH_API_KEY', 'and ELASTICSEARCH_USER are both set: remove one of them');
  checkDatabases(reading);
}

/** Reads the variables of the sources, or returns one line per problem. A line never contains a secret. */
export function readTelemetrySettings(
  env: Environment,
): { settings: TelemetrySettings } | { problems: string[] } {
  const reading = read.readEnvironment(telemetryVariables, env);
  checkSources(reading);
  const result = reading.finish();
  return 'problems' in result ? result : { settings: telemetryOf(result.values) };
}

/** Whether there is anything to investigate: changes alone are not enough. */
export function hasSource({
  prometheus,
  loki,
  victorialogs,
  elasticsearch,
  tempo,
  jaeger,
  kubernetes,
  grafanaToken,
  logFiles,
  journald,
}: TelemetrySettings): boolean {
  const sources = [prometheus, loki, victorialogs, elasticsearch, tempo, jaeger, kubernetes, grafanaToken];
  return journald || logFiles.length > 0 || sources.some((source) => source !== null);
}
