import { readSecretFiles } from '../lib/secret-files.ts';
import { hasSource, readTelemetrySettings, type TelemetrySettings } from './telemetry/settings.ts';
import { isServiceSecret } from './variables.ts';

/** Settings of `npm run service`, from its environment. */
export interface ServiceSettings {
  port: number;
  host: string;
  /** For `/healthz`, `/readyz` and `/metrics`; `null` if they are on `port`. */
  metricsPort: number | null;
  logLevel: LogLevel;
  /** `null` without any source: the simulated shop, outside production. */
  telemetry: TelemetrySettings | null;
  /** The token for pipelines to report changes; `null` disables that. */
  changesToken: string | null;
  /** API key → organisation. */
  keys: Record<string, string>;
  /** SQLite; the simulated shop stores its faults next to it. */
  file: string;
  /** Used instead of the file; `null`: SQLite. */
  postgres: PostgresSettings | null;
  /** The development key, if no keys are set: not a secret. */
  developmentKey: string | null;
}

/** Addresses with passwords: only for the driver. */
export interface PostgresSettings {
  url: string;
  /** The server's own address, if `url` is a pooler's. */
  directUrl: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

type Parsed<T> = { value: T } | { problem: string };

const DEVELOPMENT_KEY = 'development-key';
const DEFAULT_PORT = 4010;
const DEFAULT_FILE = './data/service.db';

/** Reads the settings, or returns one line per invalid variable. A line never contains a key. */
export function readServiceSettings(
  given: Readonly<Record<string, string | undefined>>,
): { settings: ServiceSettings } | { problems: string[] } {
  const { env: environment, problems: ofFiles } = readSecretFiles(given, isServiceSecret);
  const production = environment.NODE_ENV?.trim() === 'production';
  const port = readPort('PORT', environment.PORT?.trim());
  const metricsPort = readPort('METRICS_PORT', environment.METRICS_PORT?.trim());
  const logLevel = readLogLevel(environment.LOG_LEVEL?.trim());
  const telemetry = readTelemetry(environment, production);
  const keys = readKeys(environment.SERVICE_API_KEYS?.trim(), production);
  const database = readDatabase(environment.DATABASE_URL?.trim(), environment.DATABASE_DIRECT_URL?.trim());
  if (
    ofFiles.length > 0 ||
    'problem' in port ||
    'problem' in metricsPort ||
    'problem' in keys ||
    'problem' in database ||
    'problem' in logLevel ||
    'problems' in telemetry
  ) {
    const parts = [port, metricsPort, keys, database, logLevel];
    return {
      problems: [
        ...ofFiles,
        ...parts.flatMap((part) => ('problem' in part ? [part.problem] : [])),
        ...('problems' in telemetry ? telemetry.problems : []),
      ],
    };
  }
  const host = environment.HOST?.trim();
  return {
    settings: {
      port: port.value ?? DEFAULT_PORT,
      host: host ? host : production ? '0.0.0.0' : '127.0.0.1',
      metricsPort: metricsPort.value,
      ...database.value,
      logLevel: logLevel.value,
      telemetry: telemetry.settings,
      changesToken: telemetry.changesToken,
      ...keys.value,
    },
  };
}

function readPort(name: string, text: string | undefined): Parsed<number | null> {
  if (!text) return { value: null };
  if (/^\d{1,5}$/u.test(text) && Number(text) <= 65_535) return { value: Number(text) };
  return {
    problem: `${name} must be a number from 0 to 65535, such as ${name}=${DEFAULT_PORT} (got "${text}")`,
  };
}

function readLogLevel(text: string | undefined): Parsed<LogLevel> {
  if (!text) return { value: 'info' };
  const level = LOG_LEVELS.find((one) => one === text);
  return level === undefined
    ? { problem: `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}; for example LOG_LEVEL=info` }
    : { value: level };
}

/** Investigating a simulated shop in production is a mistake. */
function readTelemetry(
  environment: Readonly<Record<string, string | undefined>>,
  production: boolean,
): { settings: TelemetrySettings | null; changesToken: string | null } | { problems: string[] } {
  const read = readTelemetrySettings(environment);
  if ('problems' in read) return read;
  const { changesToken } = read.settings;
  if (hasSource(read.settings)) return { ...read, changesToken };
  if (!production) return { settings: null, changesToken };
  return {
    problems: [
      'No source of telemetry is configured, and nothing is simulated with NODE_ENV=production: set PROMETHEUS_URL, such as PROMETHEUS_URL=http://prometheus:9090 (or LOKI_URL, TEMPO_URL, JAEGER_URL or KUBERNETES)',
    ],
  };
}

function readKeys(
  text: string | undefined,
  production: boolean,
): Parsed<Pick<ServiceSettings, 'keys' | 'developmentKey'>> {
  if (!text && production) {
    return {
      problem:
        'SERVICE_API_KEYS is missing: with NODE_ENV=production there is no development key; for example SERVICE_API_KEYS=k1:acme',
    };
  }
  if (!text) {
    return { value: { keys: { [DEVELOPMENT_KEY]: 'development' }, developmentKey: DEVELOPMENT_KEY } };
  }
  const pairs = text.split(',').map((pair) => /^([^\s:]+):([^\s:]+)$/u.exec(pair.trim()));
  const keys = new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
  const wrong = pairs.indexOf(null);
  if (wrong >= 0) {
    return {
      problem: `SERVICE_API_KEYS must be comma-separated key:organisation pairs, such as k1:acme,k2:globex (pair ${wrong + 1} is malformed)`,
    };
  }
  if (keys.size < pairs.length) {
    return {
      problem: 'SERVICE_API_KEYS lists the same key twice; a key belongs to exactly one organisation',
    };
  }
  return { value: { keys: Object.fromEntries(keys), developmentKey: null } };
}

const EXAMPLE = 'postgres://gumshoe:password@db.example.com/gumshoe_service';

/** No problem repeats an address, which may contain a password. */
function readDatabase(
  text: string | undefined,
  direct: string | undefined,
): Parsed<Pick<ServiceSettings, 'file' | 'postgres'>> {
  const isPostgres = /^postgres(?:ql)?:/iu.test(text ?? '');
  if (direct && !isPostgres)
    return {
      problem: `DATABASE_DIRECT_URL belongs to a PostgreSQL database: set DATABASE_URL too, such as DATABASE_URL=${EXAMPLE}`,
    };
  if (!text) return { value: { file: DEFAULT_FILE, postgres: null } };
  if (!isPostgres) {
    const file = /^sqlite:(.+)$/iu.exec(text)?.[1];
    if (file) return { value: { file, postgres: null } };
    return {
      problem: `DATABASE_URL must point to a SQLite file, such as sqlite:${DEFAULT_FILE}, or to a PostgreSQL database, such as ${EXAMPLE}`,
    };
  }
  for (const [name, url] of Object.entries({ DATABASE_URL: text, DATABASE_DIRECT_URL: direct })) {
    if (url && !isPostgresUrl(url))
      return {
        problem: `${name} must be the address of a PostgreSQL database, such as ${EXAMPLE}; in a user or a password, / is %2F, @ is %40, # is %23 and ? is %3F`,
      };
  }
  return { value: { file: DEFAULT_FILE, postgres: { url: text, directUrl: direct || text } } };
}

/** With a host and a database name. */
function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && /^postgres(?:ql)?:$/u.test(url.protocol) && url.hostname !== '' && url.pathname.length > 1
  );
}
