import { existsSync } from 'node:fs';
import { z } from 'zod';
import { isLoopback } from '../../lib/loopback.ts';
import { readSecretFiles } from '../../lib/secret-files.ts';
import * as read from './values.ts';
import { isSecret, type VariableName, variables } from './variables.ts';
import { type Route, routes } from './webhook-routes.ts';
import { type Alertmanager, alertmanagerOf, readFamilies, type WebhookSettings } from './webhooks.ts';

export type SlackConfig =
  | { mode: 'socket'; botToken: string; appToken: string; apiUrl: string }
  | {
      mode: 'http';
      botToken: string;
      /** Two while the secret is being replaced. */
      signingSecrets: readonly string[];
      apiUrl: string;
    };

export interface ServiceConfig {
  /** Without a trailing slash. */
  url: string;
  apiKey: string;
  /** For the organisation for private channels; without it, everything goes to one organisation. */
  privateApiKey?: string;
  version: string;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Config {
  production: boolean;
  /** `null` if the local workspace is embedded. */
  slack: SlackConfig | null;
  /** `null` if the service is embedded. */
  service: ServiceConfig | null;
  /** A real Slack with the embedded service: every card and result says so. */
  simulated: boolean;
  database: read.Database;
  /** A connection to PostgreSQL that no pooler shares between clients, for locks and notifications. */
  databaseDirectUrl: string | null;
  /** 0 takes any free port. */
  port: number;
  /** `null` if health and metrics are on `port`. */
  metricsPort: number | null;
  host: string;
  pollCron: string;
  alertChannels: readonly string[];
  webhooks: WebhookSettings;
  /** Where an alert from a webhook goes: the first route that matches. */
  alertRoutes: readonly Route[];
  /** `null` if no Alertmanager is read. */
  alertmanager: Alertmanager | null;
  defaultEnvironment: string;
  adminUsers: readonly string[];
  settingsBy: 'members' | 'admins';
  allowGuests: boolean;
  allowExternal: boolean;
  allowSimulated: boolean;
  maxIssuesPerDay: number;
  filePerUserHour: number;
  askTimeoutSeconds: number;
  askPerUserHour: number;
  askPerChannelHour: number;
  shareUserNames: boolean;
  shareThread: boolean;
  retentionDays: number;
  logLevel: (typeof logLevels)[number];
  /** Where traces go; `null` if nothing is traced. */
  tracing: { endpoint: string; headers: Readonly<Record<string, string>> } | null;
  /** For undici's `EnvHttpProxyAgent`. */
  proxy: { https: string; except: string | null } | null;
}

export type ConfigResult = { ok: true; config: Config } | { ok: false; problems: string[] };

type Texts = Partial<Record<VariableName, string>>;

function schemaOf(fileExists: (path: string) => boolean) {
  return z.object({
    SLACK_BOT_TOKEN: read.token('xoxb-').optional(),
    SLACK_APP_TOKEN: read.token('xapp-').optional(),
    SLACK_SIGNING_SECRET: read.secrets().optional(),
    SLACK_API_URL: read.baseAddress(),
    ISSUE_SERVICE_URL: read.baseAddress().optional(),
    ISSUE_SERVICE_API_KEY: read.secret().optional(),
    ISSUE_SERVICE_PRIVATE_API_KEY: read.secret().optional(),
    ISSUE_SERVICE_VERSION: read.date(),
    DATABASE_URL: read.database(),
    DATABASE_DIRECT_URL: read.postgresUrl().optional(),
    PORT: read.integer(0, 65_535),
    METRICS_PORT: read.integer(0, 65_535).optional(),
    HOST: read.host().optional(),
    POLL_CRON: read.cron(),
    ALERT_CHANNELS: read.ids('CG', 'channel').optional(),
    ALERT_WEBHOOK_TOKEN: read.secret().optional(),
    ALERT_SNS_TOPICS: read.topics().optional(),
    ALERT_ROUTES: routes().optional(),
    ALERTMANAGER_URL: read.baseAddress().optional(),
    ALERTMANAGER_TOKEN: read.secret().optional(),
    ALERTMANAGER_USER: read.line().optional(),
    ALERTMANAGER_PASSWORD: read.secret().optional(),
    ALERTMANAGER_SILENCE: read.boolean(),
    OTEL_EXPORTER_OTLP_ENDPOINT: read.baseAddress().optional(),
    OTEL_EXPORTER_OTLP_HEADERS: read.headers().optional(),
    DEFAULT_ENVIRONMENT: read.line(),
    ADMIN_USERS: read.ids('UW', 'user').optional(),
    SETTINGS_BY: read.oneOf(['members', 'admins']),
    ALLOW_GUESTS: read.boolean(),
    ALLOW_EXTERNAL: read.boolean(),
    ALLOW_SIMULATED: read.boolean(),
    ALLOW_INSECURE_HTTP: read.boolean(),
    MAX_ISSUES_PER_DAY: read.integer(1, 1_000_000),
    ASK_TIMEOUT_SECONDS: read.integer(1, 3_600),
    FILE_PER_USER_HOUR: read.integer(1, 100_000),
    ASK_PER_USER_HOUR: read.integer(1, 100_000),
    ASK_PER_CHANNEL_HOUR: read.integer(1, 100_000),
    SHARE_USER_NAMES: read.boolean(),
    SHARE_THREAD: read.boolean(),
    RETENTION_DAYS: read.integer(1, 3_650),
    LOG_LEVEL: read.oneOf(logLevels),
    NODE_ENV: read.oneOf(['development', 'test', 'production']),
    HTTPS_PROXY: read.proxyAddress().optional(),
    NO_PROXY: read.line().optional(),
    NODE_EXTRA_CA_CERTS: read.existingFile(fileExists).optional(),
  } satisfies Record<VariableName, z.ZodType>);
}

type Values = z.output<ReturnType<typeof schemaOf>>;

/** One line: the variable, what is wrong with it, and an example. Never the value, which may be a secret. */
function problem(name: VariableName, wrong: string): string {
  const example = variables.find((variable) => variable.name === name)?.example ?? '';
  return `${name} ${wrong}; for example ${name}=${example}`;
}

/** The variables that are set, trimmed. An empty one counts as unset, as `NAME=` in a file means. */
function statedIn(env: Record<string, string | undefined>): Texts {
  const stated: Texts = {};
  for (const { name } of variables) {
    const text = env[name]?.trim();
    if (text !== undefined && text !== '') stated[name] = text;
  }
  return stated;
}

function withDefaults(stated: Texts): Texts {
  const texts: Texts = { ...stated };
  for (const { name, default: fallback } of variables) {
    if (texts[name] === undefined && fallback !== null) texts[name] = fallback;
  }
  return texts;
}

/** `docker --env-file` keeps quotation marks, and no other message would then say why a value is invalid. */
function quoted(stated: Texts): VariableName[] {
  return variables.map(({ name }) => name).filter((name) => /^(["']).*\1$/.test(stated[name] ?? ''));
}

/** Half of a pair is always an error. With `NODE_ENV=production` nothing is embedded, so both halves are required. */
function missing(stated: Texts, production: boolean, hasTelemetry: boolean): string[] {
  const problems: string[] = [];
  const because = (names: VariableName[]): string | null => {
    const given = names.find((name) => stated[name] !== undefined);
    if (production) return 'nothing is embedded with NODE_ENV=production';
    return given === undefined ? null : `${given} is set`;
  };

  const slack = because(['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_API_URL']);
  if (slack !== null && stated.SLACK_BOT_TOKEN === undefined) {
    problems.push(problem('SLACK_BOT_TOKEN', `is missing: ${slack}`));
  }
  if (slack !== null && stated.SLACK_APP_TOKEN === undefined && stated.SLACK_SIGNING_SECRET === undefined) {
    const either = 'set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP';
    problems.push(problem('SLACK_APP_TOKEN', `is missing: ${slack}; ${either}`));
  }

  const service = because(['ISSUE_SERVICE_URL', 'ISSUE_SERVICE_API_KEY', 'ISSUE_SERVICE_PRIVATE_API_KEY']);
  for (const name of ['ISSUE_SERVICE_URL', 'ISSUE_SERVICE_API_KEY'] as const) {
    if (service !== null && stated[name] === undefined)
      problems.push(problem(name, `is missing: ${service}`));
  }
  const allowed = read.boolean().safeParse(stated.ALLOW_SIMULATED).data === true;
  if (slack !== null && service === null && !allowed && !hasTelemetry) {
    const otherwise = 'set it, or set ALLOW_SIMULATED=true to run a real Slack against simulated systems';
    problems.push(problem('ISSUE_SERVICE_URL', `is missing while Slack is real: ${otherwise}`));
  }
  return problems;
}

/** Settings that are fine on a laptop, but in production leak a token or receive nothing. */
function unsafe(stated: Texts): Map<VariableName, string> {
  const wrong = new Map<VariableName, string>();
  const secrets = read.secrets().safeParse(stated.SLACK_SIGNING_SECRET).data ?? [];
  if (secrets.some((secret) => !/^[0-9a-f]{32}$/u.test(secret))) {
    const where = 'find it at api.slack.com/apps, your app, Basic Information';
    wrong.set('SLACK_SIGNING_SECRET', `is not a signing secret (32 hexadecimal digits): ${where}`);
  }
  if (read.boolean().safeParse(stated.ALLOW_INSECURE_HTTP).data === true) return wrong;
  for (const name of ['SLACK_API_URL', 'ISSUE_SERVICE_URL'] as const) {
    const address = URL.parse(stated[name] ?? '');
    if (address?.protocol !== 'http:' || isLoopback(address.hostname)) continue;
    const otherwise = 'use https://, or set ALLOW_INSECURE_HTTP=true on a trusted network';
    wrong.set(name, `must be https:// in production, because it carries a token: ${otherwise}`);
  }
  return wrong;
}

function slackOf(values: Values): SlackConfig | null {
  const {
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    SLACK_SIGNING_SECRET: signingSecrets,
  } = values;
  const apiUrl = values.SLACK_API_URL;
  if (botToken === undefined) return null;
  if (appToken !== undefined) return { mode: 'socket', botToken, appToken, apiUrl };
  return signingSecrets === undefined ? null : { mode: 'http', botToken, signingSecrets, apiUrl };
}

function serviceOf(values: Values): ServiceConfig | null {
  const {
    ISSUE_SERVICE_URL: url,
    ISSUE_SERVICE_API_KEY: apiKey,
    ISSUE_SERVICE_PRIVATE_API_KEY: privateApiKey,
    ISSUE_SERVICE_VERSION: version,
  } = values;
  if (url === undefined || apiKey === undefined) return null;
  const own = privateApiKey === undefined ? {} : { privateApiKey };
  return { url: url.replace(/\/+$/, ''), apiKey, ...own, version };
}

function configOf(
  values: Values,
  families: Pick<WebhookSettings, 'secrets' | 'maps'>,
  hasTelemetry: boolean,
): Config {
  const slack = slackOf(values);
  const service = serviceOf(values);
  const embedded = slack === null || service === null;
  return Object.freeze({
    production: values.NODE_ENV === 'production',
    slack: slack === null ? null : Object.freeze(slack),
    service: service === null ? null : Object.freeze(service),
    simulated: slack !== null && service === null && !hasTelemetry,
    database: Object.freeze(values.DATABASE_URL),
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? null,
    port: values.PORT,
    metricsPort: values.METRICS_PORT ?? null,
    host: values.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0'),
    pollCron: values.POLL_CRON,
    alertChannels: Object.freeze(values.ALERT_CHANNELS ?? []),
    webhooks: Object.freeze({
      token: values.ALERT_WEBHOOK_TOKEN ?? null,
      topics: values.ALERT_SNS_TOPICS ?? [],
      ...families,
    }),
    alertRoutes: Object.freeze(values.ALERT_ROUTES ?? []),
    alertmanager: alertmanagerOf(values),
    defaultEnvironment: values.DEFAULT_ENVIRONMENT,
    adminUsers: Object.freeze(values.ADMIN_USERS ?? []),
    settingsBy: values.SETTINGS_BY,
    allowGuests: values.ALLOW_GUESTS,
    allowExternal: values.ALLOW_EXTERNAL,
    allowSimulated: values.ALLOW_SIMULATED,
    maxIssuesPerDay: values.MAX_ISSUES_PER_DAY,
    filePerUserHour: values.FILE_PER_USER_HOUR,
    askTimeoutSeconds: values.ASK_TIMEOUT_SECONDS,
    askPerUserHour: values.ASK_PER_USER_HOUR,
    askPerChannelHour: values.ASK_PER_CHANNEL_HOUR,
    shareUserNames: values.SHARE_USER_NAMES,
    shareThread: values.SHARE_THREAD,
    retentionDays: values.RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
    tracing:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : Object.freeze({
            endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          }),
    proxy:
      values.HTTPS_PROXY === undefined
        ? null
        : Object.freeze({ https: values.HTTPS_PROXY, except: values.NO_PROXY ?? null }),
  });
}

/**
 * Reads the environment (DESIGN section 3). Returns all problems at once, one line each. No line contains a value,
 * because it may be a secret.
 *
 * @param options.hasTelemetry whether an embedded service has real telemetry: it then simulates nothing
 */
export function readConfig(
  given: Record<string, string | undefined>,
  fileExists: (path: string) => boolean = existsSync,
  options: { hasTelemetry: boolean } = { hasTelemetry: false },
): ConfigResult {
  const { env, problems: ofFiles } = readSecretFiles(given, isSecret);
  const stated = statedIn(env);
  const inQuotes = quoted(stated);
  const texts = withDefaults(stated);
  const parsed = schemaOf(fileExists).safeParse(texts);

  const wrong = new Map<string, string>(inQuotes.map((name) => [name, 'is in quotation marks: remove them']));
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    if (!wrong.has(name)) wrong.set(name, issue.message);
  }
  const production = stated.NODE_ENV === 'production';
  for (const [name, sentence] of production ? unsafe(stated) : []) {
    if (!wrong.has(name)) wrong.set(name, sentence);
  }
  const metricsPort = Number(stated.METRICS_PORT);
  if (metricsPort !== 0 && metricsPort === Number(texts.PORT) && !wrong.has('METRICS_PORT')) {
    wrong.set('METRICS_PORT', 'must differ from PORT');
  }
  const silences = read.boolean().safeParse(stated.ALERTMANAGER_SILENCE).data === true;
  if (silences && stated.ALERTMANAGER_URL === undefined) {
    wrong.set('ALERTMANAGER_SILENCE', 'needs ALERTMANAGER_URL, the Alertmanager to silence alerts in');
  }
  const privateKey = stated.ISSUE_SERVICE_PRIVATE_API_KEY;
  if (privateKey !== undefined && privateKey === stated.ISSUE_SERVICE_API_KEY) {
    const other = 'it is the key of a second organisation';
    wrong.set('ISSUE_SERVICE_PRIVATE_API_KEY', `must differ from ISSUE_SERVICE_API_KEY: ${other}`);
  }
  const problems = [...ofFiles];
  problems.push(
    ...variables.flatMap(({ name }) => {
      const sentence = wrong.get(name);
      return sentence === undefined ? [] : [problem(name, sentence)];
    }),
  );
  problems.push(...missing(stated, production, options.hasTelemetry));
  const { problems: ofFamilies, ...families } = readFamilies(env);
  problems.push(...ofFamilies);
  return parsed.success && problems.length === 0
    ? { ok: true, config: configOf(parsed.data, families, options.hasTelemetry) }
    : { ok: false, problems };
}
