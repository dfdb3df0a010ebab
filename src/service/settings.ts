import { z } from 'zod';
import * as read from '../lib/environment.ts';
import type { Environment } from '../lib/io.ts';
import { checkModel, modelOf, modelVariables } from './model/settings.ts';
import { checkSources, hasSource, telemetryOf, telemetryVariables } from './telemetry/settings.ts';

const { secretMeta } = read;

/** The variables of `npm run service`, except those of its telemetry. */
export const ownVariables = z.object({
  PORT: read.port().prefault('4010').meta({ example: '4010', description: 'The port to listen on' }),
  HOST: read.host().optional().meta({
    example: '0.0.0.0',
    description: 'The address to listen on: by default `127.0.0.1`, and `0.0.0.0` in production',
  }),
  METRICS_PORT: read.port().optional().meta({
    example: '9100',
    description: 'A separate port for `/healthz`, `/readyz` and `/metrics`, which need no key',
  }),
  SERVICE_API_KEYS: read
    .reader(readKeys)
    .optional()
    .meta({
      ...secretMeta,
      example: 'a-long-random-key:acme,another-long-key:globex',
      description:
        'The keys and the organization of each: `key:organization`, separated by commas. Required in production; elsewhere a development key is printed at the start if it is not set',
    }),
  DATABASE_URL: read
    .database()
    .prefault('sqlite:./data/service.db')
    .meta({
      ...secretMeta,
      example: 'postgres://gumshoe:password@database.example.com/gumshoe_service',
      description: 'The database: a SQLite file, or `postgres://user:password@host/database`',
    }),
  DATABASE_DIRECT_URL: read
    .postgresUrl()
    .optional()
    .meta({
      ...secretMeta,
      example: 'postgres://gumshoe:password@database.example.com/gumshoe_service',
      description:
        'The PostgreSQL server itself, if `DATABASE_URL` is a pooler. If it is not set, that is `DATABASE_URL`',
    }),
  RETENTION_DAYS: read.integer(30, 3_650).prefault('365').meta({
    example: '365',
    description:
      'How many days resolved issues (with what was found), conversations, what answers found and reported changes are kept. Not fewer than the bot’s `RETENTION_DAYS`',
  }),
  LOG_LEVEL: read
    .logLevel()
    .prefault('info')
    .meta({ example: 'info', description: '`fatal` to `trace`, or `silent`' }),
  NODE_ENV: z.string().optional().meta({
    example: 'production',
    description: 'With `production`, `SERVICE_API_KEYS` and a telemetry source are required',
  }),
});

/** Every variable of `npm run service`. */
export const serviceVariables = z.object({
  ...ownVariables.shape,
  ...telemetryVariables.shape,
  ...modelVariables.shape,
});

const DEVELOPMENT_KEY = 'development-key';

/** API key → organization. */
function readKeys(text: string): { value: Record<string, string> } | { wrong: string } {
  const pairs = text.split(',').map((pair) => /^([^\s:]+):([^\s:]+)$/u.exec(pair.trim()));
  const wrong = pairs.indexOf(null);
  if (wrong >= 0) {
    return {
      wrong: `must be comma-separated key:organization pairs (pair ${wrong + 1} is malformed)`,
    };
  }
  const keys = new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
  return keys.size < pairs.length
    ? { wrong: 'lists the same key twice, but a key belongs to exactly one organization' }
    : { value: Object.fromEntries(keys) };
}

function settingsOf(values: z.output<typeof serviceVariables>) {
  const production = values.NODE_ENV === 'production';
  const { DATABASE_URL: database, DATABASE_DIRECT_URL: direct, SERVICE_API_KEYS: keys } = values;
  const telemetry = telemetryOf(values);
  return {
    port: values.PORT,
    host: values.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    /** For `/healthz`, `/readyz` and `/metrics`; `null` if they are on `port`. */
    metricsPort: values.METRICS_PORT ?? null,
    retentionDays: values.RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
    /** `null` without any source: the simulated shop, outside production. */
    telemetry: hasSource(telemetry) ? telemetry : null,
    /** `null` without a language model. */
    model: modelOf(values),
    /** The token for pipelines to report changes; `null` disables that. */
    changesToken: telemetry.changesToken,
    changesSecrets: telemetry.changesSecrets,
    keys: keys ?? { [DEVELOPMENT_KEY]: 'development' },
    /** The development key, if no keys are set: not a secret. */
    developmentKey: keys === undefined ? DEVELOPMENT_KEY : null,
    /** SQLite; the simulated shop stores its faults next to it. */
    file: database.kind === 'sqlite' ? database.file : './data/service.db',
    /** Used instead of the file; `null`: SQLite. Addresses with passwords: only for the driver. */
    postgres: database.kind === 'postgres' ? { url: database.url, directUrl: direct ?? database.url } : null,
  };
}

export type ServiceSettings = ReturnType<typeof settingsOf>;
export type PostgresSettings = NonNullable<ServiceSettings['postgres']>;

/** Reads the settings, or returns one line per invalid variable. A line never contains a key. */
export function readServiceSettings(
  env: Environment,
): { settings: ServiceSettings } | { problems: string[] } {
  const reading = read.readEnvironment(serviceVariables, env);
  const { given, production, refuse } = reading;
  checkSources(reading);
  checkModel(reading);
  if (given.DATABASE_DIRECT_URL !== undefined && !/^postgres/iu.test(given.DATABASE_URL ?? '')) {
    refuse('DATABASE_DIRECT_URL', 'belongs to a PostgreSQL database: set DATABASE_URL too');
  }
  const keys = given.SERVICE_API_KEYS;
  if (production && keys === undefined) {
    refuse('SERVICE_API_KEYS', 'is missing: with NODE_ENV=production there is no development key');
  }
  if (
    production &&
    keys?.split(',').some((pair) => pair.trim().replace(/:.*$/u, '').length < read.STRONG_LENGTH)
  ) {
    refuse(
      'SERVICE_API_KEYS',
      `holds a key that is too short for NODE_ENV=production: it needs at least ${read.STRONG_LENGTH} characters`,
    );
  }
  const sources = [
    'PROMETHEUS_URL',
    ...[
      'LOKI_URL',
      'VICTORIALOGS_URL',
      'ELASTICSEARCH_URL',
      'TEMPO_URL',
      'JAEGER_URL',
      'KUBERNETES',
      'LOG_FILES',
      'JOURNALD',
    ],
    'GRAFANA_TOKEN',
  ];
  if (production && sources.every((name) => given[name] === undefined)) {
    const sentence = 'is missing: with NODE_ENV=production nothing is simulated. Set it, or another source';
    refuse(
      'PROMETHEUS_URL',
      `${sentence} (${sources.slice(1, -1).join(', ')}, or GRAFANA_URL with GRAFANA_TOKEN)`,
    );
  }
  const result = reading.finish();
  return 'problems' in result ? result : { settings: settingsOf(result.values) };
}
