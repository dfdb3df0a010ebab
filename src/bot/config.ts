import type { z } from 'zod';
import * as read from '../lib/environment.ts';
import type { Environment } from '../lib/io.ts';
import { hashOf } from '../lib/mcp-keys.ts';
import { type Repository, repositoryAt } from './runbooks/address.ts';
import { isLoopback } from './shared/loopback.ts';
import { botVariables } from './variables.ts';

/** What the embedded service speaks, and the client reads. */
const SERVICE_VERSION = '2026-03-17';

type Values = z.output<typeof botVariables>;

function slackOf(values: Values) {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: apiUrl } = values;
  const signingSecrets: readonly string[] | undefined = values.SLACK_SIGNING_SECRET;
  if (botToken === undefined) return null;
  if (appToken !== undefined) return { mode: 'socket', botToken, appToken, apiUrl } as const;
  // Two secrets while one is being replaced.
  return signingSecrets === undefined ? null : ({ mode: 'http', botToken, signingSecrets, apiUrl } as const);
}

function serviceOf(values: Values): ServiceConfig | null {
  const { ISSUE_SERVICE_URL: url, ISSUE_SERVICE_API_KEY: apiKey } = values;
  const privateApiKey = values.ISSUE_SERVICE_PRIVATE_API_KEY;
  if (url === undefined || apiKey === undefined) return null;
  const own = privateApiKey === undefined ? {} : { privateApiKey };
  return { url: withoutSlash(url), apiKey, ...own, version: SERVICE_VERSION };
}

function alertmanagerOf(values: Values) {
  const { ALERTMANAGER_URL: url } = values;
  if (url === undefined) return null;
  return {
    url: withoutSlash(url),
    token: values.ALERTMANAGER_TOKEN ?? null,
    user: values.ALERTMANAGER_USER ?? null,
    password: values.ALERTMANAGER_PASSWORD ?? null,
    /** Whether issues that are muted in Slack are silenced there. */
    silences: values.ALERTMANAGER_SILENCE,
  };
}

/** `null` if agents are not served: neither keys nor Slackbot are configured. */
function mcpOf(values: Values) {
  const keys = (values.MCP_TOKENS ?? []).map(({ token, ...key }) => ({ ...key, hash: hashOf(token) }));
  const signingSecrets: readonly string[] = values.MCP_SLACKBOT ? (values.SLACK_SIGNING_SECRET ?? []) : [];
  return keys.length === 0 && signingSecrets.length === 0
    ? null
    : { keys, signingSecrets, origins: values.MCP_ORIGINS ?? [] };
}

/** Where tickets are made; `null` without a tracker. What is missing is refused before. */
function ticketsOf(values: Values) {
  const {
    GITHUB_TOKEN: github = '',
    JIRA_URL: url = '',
    JIRA_USER: user = '',
    JIRA_TOKEN: jira = '',
  } = values;
  switch (values.TICKETS) {
    case 'github':
      return {
        tracker: 'github',
        api: withoutSlash(values.GITHUB_API_URL),
        repository: values.GITHUB_TICKETS_REPOSITORY ?? '',
        token: github,
      } as const;
    case 'jira':
      return {
        tracker: 'jira',
        url: withoutSlash(url),
        project: values.JIRA_PROJECT ?? '',
        user,
        token: jira,
        ...(values.JIRA_ISSUE_TYPE === undefined ? {} : { issueType: values.JIRA_ISSUE_TYPE }),
      } as const;
    case 'linear':
      return { tracker: 'linear', team: values.LINEAR_TEAM ?? '', token: values.LINEAR_TOKEN ?? '' } as const;
    case undefined:
      return null;
  }
}

/** Where it is read who is on call; `null` if nowhere. */
function onCallOf({ ONCALL: tool, ONCALL_TOKEN: token = '', ONCALL_URL: url }: Values) {
  return tool === undefined ? null : { tool, token, url: url === undefined ? null : withoutSlash(url) };
}

/** Where runbooks are kept; `null` if nowhere. An address that is no repository is refused before. */
function runbooksOf(values: Values): RunbookSettings | null {
  const { RUNBOOKS: place, GITHUB_TOKEN: github, GITLAB_TOKEN: gitlab } = values;
  if (place === undefined) return null;
  if (!isAddress(place)) return { kind: 'folder', path: place };
  const repository = repositoryAt(place, {
    github: withoutSlash(values.GITHUB_API_URL),
    gitlab: withoutSlash(values.GITLAB_URL),
  });
  if (repository === null) return null;
  return { kind: 'repository', repository, token: (repository.host === 'github' ? github : gitlab) ?? null };
}

const isAddress = (place: string) => /^[a-z][a-z\d+.-]*:\/\//iu.test(place);

const ticketVariables = {
  github: ['GITHUB_TICKETS_REPOSITORY', 'GITHUB_TOKEN'],
  jira: ['JIRA_URL', 'JIRA_PROJECT', 'JIRA_USER', 'JIRA_TOKEN'],
  linear: ['LINEAR_TEAM', 'LINEAR_TOKEN'],
} as const;

const withoutSlash = (url: string) => url.replace(/\/+$/u, '');

function configOf(values: Values, secrets: readonly string[], hasTelemetry: boolean) {
  const slack = slackOf(values);
  const service = serviceOf(values);
  const tracing = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const proxy = values.HTTPS_PROXY;
  return {
    /** For the redaction of logs and messages. */
    secrets,
    production: values.NODE_ENV === 'production',
    /** `null` if the local workspace is embedded. */
    slack,
    /** `null` if the service is embedded. */
    service,
    /** A real Slack with the embedded service: every card and result says so. */
    simulated: slack !== null && service === null && !hasTelemetry,
    database: values.DATABASE_URL,
    /** A connection to PostgreSQL that no pooler shares between clients, for notifications. */
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    port: values.PORT,
    /** `null` if health and metrics are on `port`. */
    metricsPort: values.METRICS_PORT ?? null,
    host: values.HOST ?? (slack === null || service === null ? '127.0.0.1' : '0.0.0.0'),
    pollCron: values.POLL_CRON,
    alertChannels: values.ALERT_CHANNELS,
    /** What webhooks at `POST /alerts/<source>` are authenticated with, and the field maps of other tools. */
    webhooks: {
      token: values.ALERT_WEBHOOK_TOKEN ?? null,
      secrets: values['ALERT_WEBHOOK_SECRET_<SOURCE>'],
      topics: values.ALERT_SNS_TOPICS,
      maps: values['ALERT_MAP_<SOURCE>'],
    },
    /** Where an alert from a webhook goes: the first route that matches. */
    alertRoutes: values.ALERT_ROUTES ?? [],
    /** `null` if `POST /mcp` is off. */
    mcp: mcpOf(values),
    /** `null` if no Alertmanager is read. */
    alertmanager: alertmanagerOf(values),
    statusPages: values.STATUS_PAGES ?? [],
    tickets: ticketsOf(values),
    /** The file that says who owns what; `null` if there is none. */
    ownersFile: values.OWNERS ?? null,
    onCall: onCallOf(values),
    runbookSource: runbooksOf(values),
    /** From which pages that alerts link to are fetched: `host` or `host:port`. */
    runbookHosts: values.RUNBOOK_HOSTS,
    defaultEnvironment: values.DEFAULT_ENVIRONMENT,
    adminUsers: values.ADMIN_USERS,
    settingsBy: values.SETTINGS_BY,
    allowGuests: values.ALLOW_GUESTS,
    allowExternal: values.ALLOW_EXTERNAL,
    allowSimulated: values.ALLOW_SIMULATED,
    maxIssuesPerDay: values.MAX_ISSUES_PER_DAY,
    /** On an alert's own message: names of emoji. */
    reactions: {
      causeFound: values.CAUSE_FOUND_REACTION,
      noCause: values.NO_CAUSE_REACTION,
      resolved: values.RESOLVED_REACTION,
    },
    filePerUserHour: values.FILE_PER_USER_HOUR,
    askTimeoutSeconds: values.ASK_TIMEOUT_SECONDS,
    askPerUserHour: values.ASK_PER_USER_HOUR,
    askPerChannelHour: values.ASK_PER_CHANNEL_HOUR,
    shareUserNames: values.SHARE_USER_NAMES,
    shareThread: values.SHARE_THREAD,
    retentionDays: values.RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
    /** `null` if nothing is traced. */
    tracing:
      tracing === undefined ? null : { endpoint: tracing, headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {} },
    /** For undici's `EnvHttpProxyAgent`. */
    proxy: proxy === undefined ? null : { https: proxy, except: values.NO_PROXY ?? null },
  };
}

export type Config = Readonly<ReturnType<typeof configOf>>;
export type SlackConfig = NonNullable<Config['slack']>;
export type McpSettings = NonNullable<Config['mcp']>;
export type WebhookSettings = Config['webhooks'];
export type TicketSettings = NonNullable<Config['tickets']>;
export type OnCallSettings = NonNullable<Config['onCall']>;
export type RunbookSettings =
  | { kind: 'folder'; path: string }
  | { kind: 'repository'; repository: Repository; token: string | null };
export type Alertmanager = NonNullable<Config['alertmanager']>;
export interface ServiceConfig {
  /** Without a trailing slash. */
  url: string;
  apiKey: string;
  /** For the organization for private channels; without it, everything goes to one organization. */
  privateApiKey?: string;
  version: string;
}

/** Half of a pair is always an error. With `NODE_ENV=production` nothing is embedded, so both halves are required. */
function refuseHalves(reading: read.Reading<Values>, hasTelemetry: boolean): void {
  const { given, production, refuse } = reading;
  const because = (names: string[]): string | null => {
    if (production) return 'nothing is embedded with NODE_ENV=production';
    const one = names.find((name) => given[name] !== undefined);
    return one === undefined ? null : `${one} is set`;
  };
  const slack = because(['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_API_URL']);
  if (slack !== null && given.SLACK_BOT_TOKEN === undefined) {
    refuse('SLACK_BOT_TOKEN', `is missing: ${slack}`);
  }
  if (slack !== null && given.SLACK_APP_TOKEN === undefined && given.SLACK_SIGNING_SECRET === undefined) {
    const either = 'set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP';
    refuse('SLACK_APP_TOKEN', `is missing: ${slack}; ${either}`);
  }
  const service = because(['ISSUE_SERVICE_URL', 'ISSUE_SERVICE_API_KEY', 'ISSUE_SERVICE_PRIVATE_API_KEY']);
  for (const name of ['ISSUE_SERVICE_URL', 'ISSUE_SERVICE_API_KEY']) {
    if (service !== null && given[name] === undefined) refuse(name, `is missing: ${service}`);
  }
  if (slack !== null && service === null && !hasTelemetry && !isTrue(given.ALLOW_SIMULATED)) {
    const otherwise =
      'set it, a telemetry source (for example PROMETHEUS_URL), or ALLOW_SIMULATED=true for simulated systems';
    refuse('ISSUE_SERVICE_URL', `is missing while Slack is real: ${otherwise}`);
  }
}

/** Settings that are fine on a laptop, but in production leak a token or receive nothing. */
function refuseUnsafe({ given, refuse }: read.Reading<Values>): void {
  const signing = given.SLACK_SIGNING_SECRET?.split(',') ?? [];
  if (signing.some((one) => !/^[0-9a-f]{32}$/u.test(one.trim()))) {
    const where = 'find it at api.slack.com/apps, your app, Basic Information';
    refuse('SLACK_SIGNING_SECRET', `is not a signing secret (32 hexadecimal digits): ${where}`);
  }
  if (isTrue(given.ALLOW_INSECURE_HTTP)) return;
  for (const name of ['SLACK_API_URL', 'ISSUE_SERVICE_URL', 'JIRA_URL', 'ONCALL_URL', 'RUNBOOKS']) {
    const address = URL.parse(given[name] ?? '');
    if (address?.protocol !== 'http:' || isLoopback(address.hostname)) continue;
    const otherwise = 'use https://, or set ALLOW_INSECURE_HTTP=true on a trusted network';
    refuse(name, `must be https:// in production, because it carries a token: ${otherwise}`);
  }
}

const isTrue = (text: string | undefined) => read.boolean().safeParse(text).data === true;

export type ConfigResult = { ok: true; config: Config } | { ok: false; problems: string[] };

/**
 * Reads the bot's variables. Returns all problems at once, one line each.
 *
 * @param options.hasTelemetry whether an embedded service has real telemetry: it then simulates nothing
 */
export function readConfig(
  env: Environment,
  options: { hasTelemetry: boolean } = { hasTelemetry: false },
): ConfigResult {
  const reading = read.readEnvironment(botVariables, env);
  const { given, refuse } = reading;
  refuseHalves(reading, options.hasTelemetry);
  if (reading.production) refuseUnsafe(reading);
  read.checkCredentials(reading, 'ALERTMANAGER');
  const metricsPort = given.METRICS_PORT ?? '0';
  if (Number(metricsPort) !== 0 && Number(metricsPort) === Number(given.PORT ?? 3000)) {
    refuse('METRICS_PORT', 'must differ from PORT');
  }
  if (isTrue(given.ALERTMANAGER_SILENCE) && given.ALERTMANAGER_URL === undefined) {
    refuse('ALERTMANAGER_SILENCE', 'needs ALERTMANAGER_URL, the Alertmanager to silence alerts in');
  }
  if (isTrue(given.MCP_SLACKBOT) && given.SLACK_SIGNING_SECRET === undefined) {
    refuse('MCP_SLACKBOT', 'needs SLACK_SIGNING_SECRET, with which Slackbot signs its requests');
  }
  for (const [tracker, names] of Object.entries(ticketVariables)) {
    if (given.TICKETS !== tracker) continue;
    for (const name of names)
      if (given[name] === undefined) refuse(name, `is missing: TICKETS is ${tracker}`);
  }
  if (given.ONCALL !== undefined) {
    if (given.ONCALL_TOKEN === undefined) refuse('ONCALL_TOKEN', `is missing: ONCALL is ${given.ONCALL}`);
    if (given.ONCALL === 'grafana' && given.ONCALL_URL === undefined)
      refuse('ONCALL_URL', 'is missing: ONCALL is grafana');
  }
  const hosts = {
    github: withoutSlash(given.GITHUB_API_URL ?? 'https://api.github.com'),
    gitlab: withoutSlash(given.GITLAB_URL ?? 'https://gitlab.com'),
  };
  if (given.RUNBOOKS !== undefined && isAddress(given.RUNBOOKS) && !repositoryAt(given.RUNBOOKS, hosts)) {
    const where = 'set GITHUB_API_URL or GITLAB_URL, or name a folder';
    refuse('RUNBOOKS', `is not the address of a repository in a configured GitHub or GitLab: ${where}`);
  }
  const privateKey = given.ISSUE_SERVICE_PRIVATE_API_KEY;
  if (privateKey !== undefined && privateKey === given.ISSUE_SERVICE_API_KEY) {
    const other = 'it must be the key of a second organization';
    refuse('ISSUE_SERVICE_PRIVATE_API_KEY', `must differ from ISSUE_SERVICE_API_KEY: ${other}`);
  }
  const result = reading.finish();
  return 'problems' in result
    ? { ok: false, ...result }
    : { ok: true, config: configOf(result.values, reading.secrets(), options.hasTelemetry) };
}
