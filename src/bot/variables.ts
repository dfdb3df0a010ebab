import { existsSync } from 'node:fs';
import { validate as isCron } from 'node-cron';
import { z } from 'zod';
import * as read from '../lib/environment.ts';
import { parseJson } from '../lib/json.ts';
import { FieldMap } from './alerts/formats/generic/webhook.ts';
import { routes } from './webhooks/routes.ts';

const { secretMeta, strongMeta } = read;

const tokenKinds = [
  { prefix: 'xoxb-', kind: 'a bot token', home: 'which belongs in SLACK_BOT_TOKEN' },
  { prefix: 'xapp-', kind: 'an app-level token', home: 'which belongs in SLACK_APP_TOKEN' },
  { prefix: 'xoxp-', kind: 'a user token', home: 'which Gumshoe does not use' },
  { prefix: 'xoxe', kind: 'a rotating or configuration token', home: 'which Gumshoe does not use' },
];

/** The sentence for one of Slack's tokens in the wrong variable, or `null`. It names the kind of token, never the token. */
function misplaced(text: string, expected: string | null): string | null {
  const found = tokenKinds.find(({ prefix }) => text.startsWith(prefix));
  if (found === undefined || found.prefix === expected) return null;
  return `holds ${found.kind} (${found.prefix}…), ${found.home}`;
}

function token(prefix: 'xoxb-' | 'xapp-') {
  return read.reader((text) => {
    const wrong = misplaced(text, prefix);
    if (wrong !== null) return { wrong };
    if (!text.startsWith(prefix)) return { wrong: `must start with ${prefix}` };
    return /^[\w-]+$/u.test(text.slice(prefix.length))
      ? { value: text }
      : { wrong: `must be ${prefix} followed by letters, digits and hyphens` };
  });
}

function secret() {
  return read
    .reader((text) => {
      const wrong = misplaced(text, null);
      return wrong === null ? { value: text } : { wrong };
    })
    .pipe(read.secret());
}

/** One secret, or several separated by commas, so that one can be replaced. */
function secrets() {
  return read
    .reader((text) => {
      const parts = text.split(',').map((part) => part.trim());
      return parts.includes('')
        ? { wrong: 'holds an empty secret: remove the superfluous comma' }
        : { value: parts };
    })
    .pipe(z.array(secret()));
}

/** `name:token` or `name:token:write`, separated by commas. Only hashes of the tokens are kept. */
function mcpKeys() {
  return read.reader((text) => {
    const keys = text.split(',').map((part) => {
      const [, name, token, write] = /^\s*([a-z0-9][\w-]{0,39}):([^:\s]+)(:write)?\s*$/iu.exec(part) ?? [];
      return name === undefined || token === undefined
        ? null
        : { name, token, mayWrite: write !== undefined };
    });
    if (keys.includes(null))
      return { wrong: 'must be name:token or name:token:write, or several of them separated by commas' };
    const known = keys.filter((key) => key !== null);
    if (new Set(known.map(({ name }) => name)).size < known.length)
      return { wrong: 'holds two keys of one name' };
    if (new Set(known.map(({ token }) => token)).size < known.length)
      return { wrong: 'gives one token to two names' };
    if (known.some(({ name }) => name.toLowerCase() === 'slackbot'))
      return { wrong: 'names a key slackbot, as which Slack’s own requests are counted' };
    return { value: known };
  });
}

/** `https://host` or `https://host:port`, separated by commas, as browsers send them in `Origin`. */
function origins() {
  return read.reader((text) => {
    const all = text.split(',').map((part) => part.trim().replace(/\/$/u, ''));
    const wrong = all.find((one) => !URL.canParse(one) || new URL(one).origin !== one.toLowerCase());
    return wrong === undefined
      ? { value: all.map((one) => one.toLowerCase()) }
      : { wrong: 'must be origins such as https://host, without a path, separated by commas' };
  });
}

/** `name=value` pairs of HTTP headers, separated by commas, with percent-encoded values, as OpenTelemetry writes them. */
function headers() {
  return read.reader((text) => {
    const pairs = text.split(',').map((pair) => /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*=(.*)$/isu.exec(pair));
    if (pairs.includes(null)) return { wrong: 'must be name=value, or several of them separated by commas' };
    try {
      const decoded = pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2]?.trim() ?? '')]);
      return { value: Object.fromEntries(z.array(z.tuple([z.string(), z.string()])).parse(decoded)) };
    } catch {
      return { wrong: 'has a value that is not percent-encoded' };
    }
  });
}

/** Items separated by commas, each once, all of one shape. */
function listOf(shape: RegExp, noun: string) {
  return read.reader((text) => {
    const items = text.split(',').map((item) => item.trim());
    const value = [...new Set(items.filter((item) => item !== ''))];
    return value.every((item) => shape.test(item))
      ? { value }
      : { wrong: `must be a comma-separated list of ${noun}` };
  });
}

const channels = () => listOf(/^[CG][A-Z0-9]{2,}$/u, 'channel ids (not names)');
const users = () => listOf(/^[UW][A-Z0-9]{2,}$/u, 'user ids (not names)');
/** `host` or `host:port` as browsers write them, without a scheme. */
function hosts() {
  return read.reader((text): { value: string[] } | { wrong: string } => {
    const all = text
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => part !== '');
    return all.every((host) => URL.parse(`https://${host}`)?.host === host)
      ? { value: [...new Set(all)] }
      : { wrong: 'must be hosts such as wiki.example.com or wiki.example.com:8443, separated by commas' };
  });
}
const topics = () => listOf(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/u, 'ARNs of SNS topics');

function fieldMap() {
  return read.reader((text): { value: FieldMap } | { wrong: string } => {
    const map = FieldMap.safeParse(parseJson(text));
    if (map.success) return { value: map.data };
    const [issue] = map.error.issues;
    if (issue?.code === 'unrecognized_keys')
      return { wrong: `holds an unknown field: ${issue.keys.join(', ')}` };
    return {
      wrong:
        issue === undefined || issue.path.length === 0
          ? 'must be a JSON object'
          : `holds a bad value at ${issue.path.join('.')}`,
    };
  });
}

function bySource<T extends z.ZodType>(value: T) {
  return z.record(z.string(), value).transform((record) => new Map(Object.entries(record)));
}

function emojiName(usual: string) {
  return read
    .reader((text) =>
      /^[a-z0-9_+-]{1,100}$/u.test(text)
        ? { value: text }
        : { wrong: `must be the name of an emoji without colons, for example ${usual}` },
    )
    .prefault(usual);
}

const perHour = () => read.integer(1, 100_000);

export const botVariables = z.object({
  SLACK_BOT_TOKEN: z.optional(token('xoxb-')).meta({
    ...strongMeta,
    example: 'xoxb-your-bot-token',
    description:
      "The bot token of the Slack app. If none of Slack's variables is set, a local workspace is embedded",
  }),
  SLACK_APP_TOKEN: z.optional(token('xapp-')).meta({
    ...strongMeta,
    example: 'xapp-your-app-level-token',
    description:
      'The app-level token (scope `connections:write`) for Socket Mode. It takes precedence over the signing secret',
  }),
  SLACK_SIGNING_SECRET: z.optional(secrets()).meta({
    ...secretMeta,
    example: '0123456789abcdef0123456789abcdef',
    description:
      'The signing secret for HTTP: events, commands and interactivity at `POST /slack/events`; two, separated by a comma, while it is being replaced',
  }),
  SLACK_API_URL: read.baseAddress().prefault('https://slack.com/api/').meta({
    example: 'https://slack.com/api/',
    description: "The base address of Slack's Web API",
  }),
  ISSUE_SERVICE_URL: read.baseAddress().optional().meta({
    example: 'https://issues.example.com/api/v2',
    description:
      'The base address of the Issue Investigation Service, including `/api/v2`. If it is not set, the service is embedded',
  }),
  ISSUE_SERVICE_API_KEY: z
    .optional(secret())
    .meta({ ...strongMeta, example: 'your-service-api-key', description: "The service's API key" }),
  ISSUE_SERVICE_PRIVATE_API_KEY: z.optional(secret()).meta({
    ...strongMeta,
    example: 'your-api-key-of-a-second-organization',
    description:
      'The API key of a second organization at the service, for issues from private channels. If it is not set, a private channel is watched only after a member agrees that its issues may be named in answers elsewhere',
  }),
  DATABASE_URL: read
    .database()
    .prefault('sqlite:./data/gumshoe.db')
    .meta({
      ...secretMeta,
      example: 'sqlite:./data/gumshoe.db',
      description:
        'The database: a SQLite file for one process, or PostgreSQL (`postgres://user:password@host/database`) for several replicas',
    }),
  DATABASE_DIRECT_URL: z.optional(read.postgresUrl()).meta({
    ...secretMeta,
    example: 'postgres://gumshoe:password@database.example.com/gumshoe',
    description:
      'A URL that bypasses PgBouncer, for notifications, if `DATABASE_URL` leads through it in transaction mode',
  }),
  PORT: read.port().prefault('3000').meta({
    example: '3000',
    description:
      'The port of `/slack/events`, `/alerts/<source>`, `/healthz`, `/readyz` and `/metrics` (and of the page of the local workspace); 0 takes any free one',
  }),
  METRICS_PORT: read.port().optional().meta({
    example: '9090',
    description:
      'A separate port for health details and metrics: set it wherever `PORT` can be reached from outside',
  }),
  HOST: read.host().optional().meta({
    example: '0.0.0.0',
    description:
      'The address to listen on. By default `127.0.0.1` while anything is embedded, otherwise `0.0.0.0`',
  }),
  POLL_CRON: read
    .reader((text) =>
      isCron(text) ? { value: text } : { wrong: 'must be a cron expression (seconds first)' },
    )
    .prefault('*/15 * * * * *')
    .meta({
      example: '*/15 * * * * *',
      description: 'When to look for finished investigations: a cron expression, with seconds first',
    }),
  ALERT_CHANNELS: channels().prefault('').meta({
    example: 'C0123ABCD,C0456EFGH',
    description: 'The ids of the channels watched from the start, separated by commas',
  }),
  ALERT_WEBHOOK_TOKEN: z.optional(secret()).meta({
    ...strongMeta,
    example: 'a-long-random-text',
    description:
      'The token of webhooks at `POST /alerts/<source>`: as `Authorization: Bearer`, or as the password of basic authentication with any user name',
  }),
  'ALERT_WEBHOOK_SECRET_<SOURCE>': bySource(secrets()).meta({
    ...strongMeta,
    source: 'GRAFANA',
    example: 'a-long-random-text',
    description:
      'The secret with which that source signs its webhooks (HMAC-SHA256), instead of `ALERT_WEBHOOK_TOKEN`; several are separated by commas',
  }),
  'ALERT_MAP_<SOURCE>': bySource(fieldMap()).meta({
    source: 'STATUSPAGE',
    example: '{"title":"incident.name","status":"incident.status"}',
    description:
      'Accepts webhooks of another tool at `POST /alerts/<source>`: the paths of its fields, as JSON with dots. `messages` in it says how the messages of the sender of that name are read, as `/gumshoe` exports it',
  }),
  MCP_TOKENS: z.optional(mcpKeys()).meta({
    ...strongMeta,
    example: 'claude:a-long-random-text,deploys:another-random-text:write',
    description:
      'The keys of MCP clients: `name:token`, separated by commas, or `name:token:write` for one that may file issues and set their status',
  }),
  MCP_ORIGINS: origins().optional().meta({
    example: 'https://agents.example.com',
    description: 'The origins of web pages on other machines that may call `POST /mcp`, separated by commas',
  }),
  MCP_SLACKBOT: read.boolean().prefault('false').meta({
    example: 'true',
    description:
      'Whether Slackbot may call `POST /mcp`. Needs `SLACK_SIGNING_SECRET`, and an address that Slack reaches by HTTPS',
  }),
  ALERT_SNS_TOPICS: topics().prefault('').meta({
    example: 'arn:aws:sns:eu-central-1:123456789012:alarms',
    description:
      'The ARNs of the SNS topics from which `POST /alerts/cloudwatch` accepts alarms, separated by commas',
  }),
  ALERT_ROUTES: routes().optional().meta({
    example: 'grafana{team=payments}->C0123ABCD;*->C0456EFGH',
    description:
      'The channel of an alert that a webhook delivers: rules `source{label=value,…}->CHANNEL_ID` separated by semicolons; the first that matches wins. The braces are optional, `*` is any source, and values may be in double quotes',
  }),
  ALERTMANAGER_URL: read.baseAddress().optional().meta({
    example: 'https://alertmanager.example.com',
    description: 'The address of an Alertmanager to poll every minute',
  }),
  ALERTMANAGER_TOKEN: z
    .optional(secret())
    .meta({ ...secretMeta, example: 'a-bearer-token', description: 'The bearer token for Alertmanager' }),
  ALERTMANAGER_USER: read.line().optional().meta({
    example: 'gumshoe',
    description: 'The user name for Alertmanager, with basic authentication',
  }),
  ALERTMANAGER_PASSWORD: z
    .optional(secret())
    .meta({ ...secretMeta, example: 'a-password', description: 'The password of that user' }),
  ALERTMANAGER_SILENCE: read.boolean().prefault('false').meta({
    example: 'true',
    description: 'Whether muting an issue in Slack silences its alerts in Alertmanager',
  }),
  STATUS_PAGES: read.hostPages().optional().meta({
    example: 'api.stripe.com=https://status.stripe.com',
    description:
      'Status pages (Statuspage) whose scheduled maintenances are planned work: alerts about that host are kept quiet meanwhile. `host=address`, separated by commas; the service has the same variable',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: read.baseAddress().optional().meta({
    example: 'http://otel-collector:4318',
    description:
      'The base address of a receiver of OpenTelemetry traces (OTLP over HTTP, JSON). If it is not set, nothing is traced',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: z.optional(headers()).meta({
    ...secretMeta,
    example: 'authorization=Bearer%20a-token',
    description: 'Headers for it: `name=value`, separated by commas, with percent-encoded values',
  }),
  DEFAULT_ENVIRONMENT: read.line().prefault('production').meta({
    example: 'production',
    description: 'The environment of an alert that names none, in a channel that sets none',
  }),
  ADMIN_USERS: users().prefault('').meta({
    example: 'U0123ABCD,U0456EFGH',
    description:
      'The ids of users who are admins of Gumshoe, in addition to the admins and owners of the workspace',
  }),
  SETTINGS_BY: read.oneOf(['members', 'admins']).prefault('members').meta({
    example: 'members',
    description: "Who may change a channel's settings: its `members`, or only `admins`",
  }),
  ALLOW_GUESTS: read.boolean().prefault('false').meta({
    example: 'true',
    description: 'Whether guests of the workspace may use Gumshoe',
  }),
  ALLOW_EXTERNAL: read.boolean().prefault('false').meta({
    example: 'true',
    description: 'Whether people from other organizations (Slack Connect) may use Gumshoe',
  }),
  ALLOW_SIMULATED: read.boolean().prefault('false').meta({
    example: 'true',
    description: 'Whether the embedded service may investigate simulated systems while Slack is real',
  }),
  ALLOW_INSECURE_HTTP: read.boolean().prefault('false').meta({
    example: 'true',
    description:
      'With `NODE_ENV=production`: whether `SLACK_API_URL`, `ISSUE_SERVICE_URL` and `JIRA_URL` may be `http://` on another machine',
  }),
  MAX_ISSUES_PER_DAY: read.integer(1, 1_000_000).prefault('500').meta({
    example: '500',
    description:
      'How many issues alerts may cause in 24 hours, across all channels, before further alerts are held',
  }),
  CAUSE_FOUND_REACTION: emojiName('mag_right').meta({
    example: 'mag_right',
    description:
      "The reaction that replaces 👀 on an alert's message once the investigation names a root cause; with `eyes` it stays",
  }),
  NO_CAUSE_REACTION: emojiName('shrug').meta({
    example: 'shrug',
    description: 'The reaction in its place when the investigation ends without a root cause',
  }),
  RESOLVED_REACTION: emojiName('white_check_mark').meta({
    example: 'white_check_mark',
    description: 'The reaction in its place once the issue is resolved',
  }),
  TICKETS: read.oneOf(['github', 'jira', 'linear']).optional().meta({
    example: 'github',
    description: 'The tracker in which `/issue 12 ticket` makes tickets',
  }),
  GITHUB_TICKETS_REPOSITORY: read
    .reader((text) =>
      /^[\w-]+\/[\w.-]+$/u.test(text) ? { value: text } : { wrong: 'must be owner/name of a repository' },
    )
    .optional()
    .meta({ example: 'acme/incidents', description: 'The GitHub repository for tickets' }),
  GITHUB_API_URL: read.baseAddress().prefault('https://api.github.com').meta({
    example: 'https://github.example.com/api/v3',
    description:
      'The base address of the GitHub API that `GITHUB_TOKEN` is for; with GitHub Enterprise, that of your server',
  }),
  GITHUB_TOKEN: z.optional(secret()).meta({
    ...secretMeta,
    example: 'github_pat_11AAAA',
    description:
      'A token that may write issues there (fine-grained: *Issues*, read and write), and read `RUNBOOKS` (*Contents*)',
  }),
  JIRA_URL: read.baseAddress().optional().meta({
    example: 'https://acme.atlassian.net',
    description: 'The Jira (Cloud) for tickets',
  }),
  JIRA_PROJECT: read
    .reader((text) =>
      /^[A-Z][A-Z0-9_]*$/u.test(text)
        ? { value: text }
        : { wrong: 'must be the key of a project, for example FIX' },
    )
    .optional()
    .meta({ example: 'FIX', description: 'The key of its project' }),
  JIRA_ISSUE_TYPE: read.line().optional().meta({
    example: 'Bug',
    description: 'The type of its tickets, as the project calls it; `Task` by default',
  }),
  JIRA_USER: read.line().optional().meta({
    example: 'gumshoe@example.com',
    description: 'The account whose API token is used',
  }),
  JIRA_TOKEN: z
    .optional(secret())
    .meta({ ...secretMeta, example: 'ATATT3xAAAA', description: 'Its API token' }),
  LINEAR_TEAM: z
    .optional(read.line())
    .meta({ example: 'OPS', description: 'The key of the Linear team for tickets' }),
  LINEAR_TOKEN: z
    .optional(secret())
    .meta({ ...secretMeta, example: 'lin_api_AAAA', description: 'A personal API key of Linear' }),
  OWNERS: read.line().optional().meta({
    example: '/etc/gumshoe/OWNERS',
    description: 'A file that says who owns which service: lines as in CODEOWNERS, or a Backstage catalog',
  }),
  RUNBOOKS: read.line().optional().meta({
    example: '/etc/gumshoe/runbooks',
    description:
      'Runbooks in Markdown: a folder, or the address of a repository of GitHub or GitLab, such as `https://github.com/acme/runbooks`',
  }),
  RUNBOOK_HOSTS: hosts().prefault('').meta({
    example: 'runbooks.example.com,wiki.example.com:8443',
    description: 'The hosts from which an alert’s own runbook is fetched, separated by commas',
  }),
  GITLAB_URL: read
    .baseAddress()
    .prefault('https://gitlab.com')
    .meta({ example: 'https://gitlab.example.com', description: 'The GitLab of `RUNBOOKS`' }),
  GITLAB_TOKEN: z.optional(secret()).meta({
    ...secretMeta,
    example: 'glpat-AAAA',
    description: 'A token for it, with the scope `read_api`',
  }),
  ONCALL: read.oneOf(['pagerduty', 'opsgenie', 'grafana']).optional().meta({
    example: 'pagerduty',
    description: 'Where cards read who is on call: PagerDuty, Opsgenie, or Grafana OnCall',
  }),
  ONCALL_TOKEN: z
    .optional(secret())
    .meta({ ...secretMeta, example: 'u+AAAA', description: 'A token that may read its schedules' }),
  ONCALL_URL: read.baseAddress().optional().meta({
    example: 'https://api.eu.opsgenie.com',
    description: 'Its API, where it is not the usual one; needed for Grafana OnCall',
  }),
  FILE_PER_USER_HOUR: perHour().prefault('30').meta({
    example: '30',
    description: 'How many issues one person may file in an hour, by any means',
  }),
  ASK_TIMEOUT_SECONDS: read.integer(1, 3_600).prefault('180').meta({
    example: '180',
    description: 'How long an answer of the agent may take, in seconds',
  }),
  ASK_PER_USER_HOUR: perHour().prefault('120').meta({
    example: '120',
    description: 'How many questions one person may ask in an hour outside of the threads of issues',
  }),
  ASK_PER_CHANNEL_HOUR: perHour().prefault('600').meta({
    example: '600',
    description: 'How many questions one channel may ask in an hour, to protect the service',
  }),
  SHARE_USER_NAMES: read.boolean().prefault('false').meta({
    example: 'true',
    description:
      'Whether the agent sees the names of people; otherwise they are *Person A*, *Person B*, …, without email addresses',
  }),
  SHARE_THREAD: read.boolean().prefault('true').meta({
    example: 'false',
    description:
      'Whether the messages of a thread go to the service with the first question there, except those of people from other organizations',
  }),
  RETENTION_DAYS: read.integer(1, 3_650).prefault('90').meta({
    example: '90',
    description:
      'How many days closed issues and what belongs to them, conversations, and decisions on messages are kept after their last change',
  }),
  LOG_LEVEL: read.logLevel().prefault('info').meta({
    example: 'info',
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  }),
  NODE_ENV: read.oneOf(['development', 'test', 'production']).prefault('development').meta({
    example: 'production',
    description: 'With `production`, nothing is embedded, and what is missing is an error',
  }),
  HTTPS_PROXY: z.optional(read.proxyAddress()).meta({
    ...secretMeta,
    example: 'http://proxy.example.com:3128',
    description: 'The proxy for requests to Slack and to the service',
  }),
  NO_PROXY: read.line().optional().meta({
    example: 'localhost,.internal.example.com',
    description: 'The hosts that are reached without the proxy, separated by commas',
  }),
  NODE_EXTRA_CA_CERTS: read
    .reader((text) => (existsSync(text) ? { value: text } : { wrong: 'names a file that does not exist' }))
    .optional()
    .meta({
      example: '/etc/ssl/certs/company.pem',
      description: "A PEM file of certificate authorities to trust in addition to Node's own",
    }),
});
