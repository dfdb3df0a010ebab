/** One environment variable, as `.env.example` and `docs/configuration.md` show it. */
export interface Variable {
  name: string;
  /** What is in for an unset variable; `null` if nothing does, or where it depends (the description says). */
  default: string | null;
  /** A value that would be accepted; shown in every problem that concerns the variable. */
  example: string;
  description: string;
  /** `<NAME>_FILE` may name a file that holds it. */
  secret?: true;
}

/**
 * Every variable that Gumshoe reads. `.env.example` and `docs/configuration.md` are held equal to this by
 * `test/bot/config/documents.test.ts`, and the schema in `config.ts` by its type.
 */
export const variables = [
  {
    name: 'SLACK_BOT_TOKEN',
    secret: true,
    default: null,
    example: 'xoxb-your-bot-token',
    description:
      "The bot token of the Slack app. If none of Slack's variables is set, a local workspace is embedded",
  },
  {
    name: 'SLACK_APP_TOKEN',
    secret: true,
    default: null,
    example: 'xapp-your-app-level-token',
    description:
      'The app-level token (scope `connections:write`) for Socket Mode. It takes precedence over the signing secret',
  },
  {
    name: 'SLACK_SIGNING_SECRET',
    secret: true,
    default: null,
    example: '0123456789abcdef0123456789abcdef',
    description:
      'The signing secret for HTTP: events, commands and interactivity at `POST /slack/events`; two, separated by a comma, while it is being replaced',
  },
  {
    name: 'SLACK_API_URL',
    default: 'https://slack.com/api/',
    example: 'https://slack.com/api/',
    description: "The base address of Slack's Web API",
  },
  {
    name: 'ISSUE_SERVICE_URL',
    default: null,
    example: 'https://issues.example.com/api/v2',
    description:
      'The base address of the Issue Investigation Service, including `/api/v2`. If it is not set, the service is embedded',
  },
  {
    name: 'ISSUE_SERVICE_API_KEY',
    secret: true,
    default: null,
    example: 'your-api-key',
    description: "The service's API key",
  },
  {
    name: 'ISSUE_SERVICE_PRIVATE_API_KEY',
    secret: true,
    default: null,
    example: 'your-api-key-of-a-second-organisation',
    description:
      'The API key of a second organisation at the service, for issues from private channels; no question asked elsewhere reaches it. If it is not set, all issues share one organisation',
  },
  {
    name: 'ISSUE_SERVICE_VERSION',
    default: '2026-03-17',
    example: '2026-03-17',
    description: 'The version of the service to which every request is pinned',
  },
  {
    name: 'DATABASE_URL',
    secret: true,
    default: 'sqlite:./data/gumshoe.db',
    example: 'sqlite:./data/gumshoe.db',
    description:
      'The database: a file of SQLite (`sqlite:./data/gumshoe.db`) for one process, or PostgreSQL (`postgres://user:password@host/database`) for several replicas',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    secret: true,
    default: null,
    example: 'postgres://gumshoe:password@database.example.com/gumshoe',
    description:
      'If `DATABASE_URL` leads through PgBouncer in transaction mode: a URL past it, for locks and notifications. If it is not set, they use `DATABASE_URL`',
  },
  {
    name: 'PORT',
    default: '3000',
    example: '3000',
    description:
      'The port of `/slack/events`, `/alerts/<source>`, `/healthz`, `/readyz` and `/metrics` (and of the page of the local workspace); 0 takes any free one',
  },
  {
    name: 'METRICS_PORT',
    default: null,
    example: '9090',
    description:
      'A separate port for health details and metrics, which `PORT` then no longer serves: set it wherever `PORT` can be reached from outside',
  },
  {
    name: 'HOST',
    default: null,
    example: '0.0.0.0',
    description:
      'The address to listen on. By default `127.0.0.1` while anything is embedded, otherwise `0.0.0.0`',
  },
  {
    name: 'POLL_CRON',
    default: '*/15 * * * * *',
    example: '*/15 * * * * *',
    description: 'When to look for finished investigations: a cron expression, with seconds first',
  },
  {
    name: 'ALERT_CHANNELS',
    default: null,
    example: 'C0123ABCD,C0456EFGH',
    description: 'The ids of the channels watched from the start, separated by commas',
  },
  {
    name: 'ALERT_WEBHOOK_TOKEN',
    secret: true,
    default: null,
    example: 'a-long-random-text',
    description:
      'The token of webhooks at `POST /alerts/<source>`: as `Authorization: Bearer`, or as the password of basic authentication with any user name',
  },
  {
    name: 'ALERT_SNS_TOPICS',
    default: null,
    example: 'arn:aws:sns:eu-central-1:123456789012:alarms',
    description:
      'The ARNs of the SNS topics from which `POST /alerts/cloudwatch` takes alarms, separated by commas; their signature is always checked',
  },
  {
    name: 'ALERT_ROUTES',
    default: null,
    example: 'grafana{team=payments}->C0123ABCD;*->C0456EFGH',
    description:
      'The channel of an alert that a webhook delivers: rules `source{label=value,…}->CHANNEL_ID` separated by semicolons, of which the first that matches wins. The braces are optional, `*` stands for any source, and values may be in double quotes',
  },
  {
    name: 'ALERTMANAGER_URL',
    default: null,
    example: 'https://alertmanager.example.com',
    description:
      'The external address of an Alertmanager whose alerts are read every minute: what nobody has told is posted by `ALERT_ROUTES`, and what is gone there has recovered',
  },
  {
    name: 'ALERTMANAGER_TOKEN',
    secret: true,
    default: null,
    example: 'a-bearer-token',
    description: 'The bearer token for it',
  },
  {
    name: 'ALERTMANAGER_USER',
    default: null,
    example: 'gumshoe',
    description: 'The user name for it, with basic authentication',
  },
  {
    name: 'ALERTMANAGER_PASSWORD',
    secret: true,
    default: null,
    example: 'a-password',
    description: 'The password of that user',
  },
  {
    name: 'ALERTMANAGER_SILENCE',
    default: 'false',
    example: 'true',
    description:
      'With `true`, an issue that is muted in Slack is silenced in the Alertmanager until its mute ends, where its alerts came from there',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: null,
    example: 'http://otel-collector:4318',
    description:
      'The base address of a receiver of OpenTelemetry traces (OTLP over HTTP, JSON). If it is not set, nothing is traced',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    secret: true,
    default: null,
    example: 'authorization=Bearer%20a-token',
    description: 'Headers for it: `name=value`, separated by commas, with percent-encoded values',
  },
  {
    name: 'DEFAULT_ENVIRONMENT',
    default: 'production',
    example: 'production',
    description: 'The environment of an alert that names none, in a channel that sets none',
  },
  {
    name: 'ADMIN_USERS',
    default: null,
    example: 'U0123ABCD,U0456EFGH',
    description:
      'The ids of the users who may pause and resume filing, delete issues, and change the settings of any channel, in addition to the admins and owners of the workspace',
  },
  {
    name: 'SETTINGS_BY',
    default: 'members',
    example: 'members',
    description: "Who may change a channel's settings: its `members`, or only `admins`",
  },
  {
    name: 'ALLOW_GUESTS',
    default: 'false',
    example: 'true',
    description: 'Whether guests of the workspace may use Gumshoe',
  },
  {
    name: 'ALLOW_EXTERNAL',
    default: 'false',
    example: 'true',
    description: 'Whether people from other organisations (Slack Connect) may use Gumshoe',
  },
  {
    name: 'ALLOW_SIMULATED',
    default: 'false',
    example: 'true',
    description: 'Whether the embedded service, whose systems are simulated, may be used with a real Slack',
  },
  {
    name: 'ALLOW_INSECURE_HTTP',
    default: 'false',
    example: 'true',
    description:
      'With `NODE_ENV=production`: whether `SLACK_API_URL` and `ISSUE_SERVICE_URL` may be `http://` on another machine, where tokens and keys can be read in transit',
  },
  {
    name: 'MAX_ISSUES_PER_DAY',
    default: '500',
    example: '500',
    description:
      'How many issues alerts may cause in 24 hours, across all channels, before further alerts are held; what people file does not count',
  },
  {
    name: 'FILE_PER_USER_HOUR',
    default: '30',
    example: '30',
    description: 'How many issues one person may file in an hour, by any means',
  },
  {
    name: 'ASK_TIMEOUT_SECONDS',
    default: '180',
    example: '180',
    description: 'How long an answer may take, in seconds',
  },
  {
    name: 'ASK_PER_USER_HOUR',
    default: '30',
    example: '30',
    description: 'How many questions one person may ask in an hour',
  },
  {
    name: 'ASK_PER_CHANNEL_HOUR',
    default: '120',
    example: '120',
    description: 'How many questions one channel may ask in an hour',
  },
  {
    name: 'SHARE_USER_NAMES',
    default: 'false',
    example: 'true',
    description:
      'Whether the agent is told the names of people in this workspace; otherwise they are *Person A*, *Person B*, … and their email addresses are left out',
  },
  {
    name: 'SHARE_THREAD',
    default: 'true',
    example: 'false',
    description:
      'Whether what people and tools said in a thread goes to the service with the first question to the agent there, except what people from other organisations said',
  },
  {
    name: 'RETENTION_DAYS',
    default: '90',
    example: '90',
    description:
      'How many days closed issues (with their alerts, results, questions and history), conversations about no issue, and decisions on messages are kept after their last change; handled deliveries go after 14 days',
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    example: 'info',
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  },
  {
    name: 'NODE_ENV',
    default: 'development',
    example: 'production',
    description: 'With `production` (the image sets it) nothing is embedded, and what is missing is an error',
  },
  {
    name: 'HTTPS_PROXY',
    secret: true,
    default: null,
    example: 'http://proxy.example.com:3128',
    description: 'The proxy for requests to Slack and to the service',
  },
  {
    name: 'NO_PROXY',
    default: null,
    example: 'localhost,.internal.example.com',
    description: 'The hosts that are reached without the proxy, separated by commas',
  },
  {
    name: 'NODE_EXTRA_CA_CERTS',
    default: null,
    example: '/etc/ssl/certs/company.pem',
    description:
      "A PEM file of certificate authorities to trust in addition to Node's own; Node reads it when it starts",
  },
] as const satisfies readonly Variable[];

/** Variables of which there may be one for each source of webhooks: the prefix, and the source in capital letters. */
export interface VariableFamily {
  prefix: 'ALERT_WEBHOOK_SECRET_' | 'ALERT_MAP_';
  /** A member of the family, for the example. */
  name: string;
  example: string;
  description: string;
}

export const variableFamilies = [
  {
    prefix: 'ALERT_WEBHOOK_SECRET_',
    name: 'ALERT_WEBHOOK_SECRET_GRAFANA',
    example: 'a-long-random-text',
    description:
      'The secret with which that source signs its webhooks (HMAC-SHA256); several are separated by commas, so that a secret can be replaced. Without it, the source needs `ALERT_WEBHOOK_TOKEN`',
  },
  {
    prefix: 'ALERT_MAP_',
    name: 'ALERT_MAP_STATUSPAGE',
    example: '{"title":"incident.name","status":"incident.status"}',
    description:
      'Takes webhooks of another tool at `POST /alerts/<source>`: where its payloads say what, as JSON with dot paths',
  },
] as const satisfies readonly VariableFamily[];

/** Whether a variable is a secret, which `<NAME>_FILE` may name a file for. */
export function isSecret(name: string): boolean {
  const known: readonly Variable[] = variables;
  const [{ prefix }] = variableFamilies;
  return (
    known.some((variable) => variable.name === name && variable.secret === true) ||
    (name.startsWith(prefix) && name.length > prefix.length)
  );
}

export type VariableName = (typeof variables)[number]['name'];
