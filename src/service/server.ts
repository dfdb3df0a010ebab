import pino from 'pino';
import { type Clock, systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/io.ts';
import { reasonOf } from '../lib/postgres/errors.ts';
import { createWorkerLoop, type Worker } from '../lib/worker-loop.ts';
import { learnRoutes } from './agent/examples.ts';
import { BASE_PATH } from './api/app.ts';
import { type Life, serve } from './api/listen.ts';
import type { RateLimit } from './api/middleware.ts';
import { createDatabases } from './databases/databases.ts';
import type { DatabaseSettings } from './databases/settings.ts';
import { createDatabasesSource, createHourlyLook } from './databases/source.ts';
import type { TelemetryLimits } from './investigation/runner.ts';
import type { ServiceLog } from './log.ts';
import { createServiceMetrics } from './metrics.ts';
import { createModel } from './model/model.ts';
import type { ModelSettings } from './model/settings.ts';
import type { PostgresSettings } from './settings.ts';
import { openStore, type Store } from './store/store.ts';
import type { Sweep } from './store/sweep.ts';
import { createReportedChanges } from './telemetry/changes/reported.ts';
import { combine } from './telemetry/combined.ts';
import type { TelemetrySource } from './telemetry/source.ts';

export interface ServiceOptions {
  /** SQLite file; creates its folder if missing. */
  file: string;
  /** A PostgreSQL database instead of the file; other replicas may share it. */
  postgres?: PostgresSettings | null;
  /** API key → the organization it belongs to. */
  keys: Record<string, string>;
  /** 0 or undefined: any free port. */
  port?: number;
  host?: string;
  /** A separate port for `/healthz`, `/readyz` and `/metrics`; `null` for none. */
  metricsPort?: number | null;
  /** The systems to investigate. */
  telemetry: TelemetrySource;
  /** The limits for one investigation; by default 300 requests and a minute. */
  limits?: TelemetryLimits;
  /** Databases and brokers that may be looked into; undefined or empty for none. */
  databases?: readonly DatabaseSettings[];
  /** The token for pipelines to report changes at `POST /changes`; `null` or undefined disables that. */
  changesToken?: string | null;
  /** By the names of tools: the secrets with which they sign what they report at `POST /changes/<tool>`. */
  changesSecrets?: Readonly<Record<string, string>>;
  /** How long resolved issues, conversations and what answers found are kept; by default a year. */
  retentionDays?: number;
  /** The language model; `null` or undefined for none. */
  model?: ModelSettings | null;
  /** For tests: in place of the network to the model. */
  modelFetch?: typeof globalThis.fetch;
  clock?: Clock;
  log?: ServiceLog;
  /** Per key; unlimited by default. */
  rateLimit?: RateLimit;
}

const DEFAULT_RETENTION_DAYS = 365;
const DEFAULT_LIMITS: TelemetryLimits = { requests: 300, ms: 60_000 };

export interface RunningService {
  /** With the path prefix, without a trailing slash: `http://127.0.0.1:4010/api/v2`. */
  url: string;
  /** Whether it was taken down. */
  isDown(): boolean;
  /** Simulates a stopped process: connections are refused. Its data stays. */
  goDown(): Promise<void>;
  /**
   * Listens again on the same port, and resumes its investigations. Rejects with an OperatorError if the port is taken.
   */
  comeBack(): Promise<void>;
  /** Ends streams and requests, stops investigations (resumed at the next start), closes the file. */
  close(): Promise<void>;
}

/** Starts the Issue Investigation Service. Rejects if the port or the file is unavailable. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const {
    clock = systemClock,
    host = '127.0.0.1',
    log = pino({ name: 'service', level: 'error' }),
  } = options;
  const metrics = createServiceMetrics();
  const { file, postgres = null } = options;
  const onConnectionLost = (error: unknown) => {
    metrics.databaseFailed();
    // The driver's errors contain the connection.
    log.warn({ reason: reasonOf(error) }, 'a connection to the database was lost');
  };
  const store = await openStore(postgres === null ? { file } : { ...postgres, onConnectionLost });
  const keys = new Map(Object.entries(options.keys));
  const { changesToken = null } = options;
  const changesSecrets = new Map(Object.entries(options.changesSecrets ?? {}));
  const databases = createDatabases({
    settings: options.databases ?? [],
    store: store.fingerprints,
    clock,
    log,
    onLook: metrics.databaseLooked,
  });
  const telemetry = combine([
    options.telemetry,
    ...(changesToken === null && changesSecrets.size === 0 ? [] : [createReportedChanges(store.changes)]),
    ...(databases.all.length === 0 ? [] : [createDatabasesSource(databases)]),
  ]);
  const { model: settings = null, modelFetch } = options;
  const parts = { requests: store.modelRequests, clock, log, metrics };
  const model =
    settings === null
      ? null
      : createModel(settings, { ...parts, ...(modelFetch === undefined ? {} : { fetch: modelFetch }) });
  const begin = (port: number) =>
    serve({
      store,
      telemetry,
      model,
      changesToken,
      changesSecrets,
      limits: options.limits ?? DEFAULT_LIMITS,
      clock,
      log,
      metrics,
      metricsPort: options.metricsPort ?? null,
      keys,
      rateLimit: options.rateLimit,
      port,
      host,
    });

  // The first question does not wait for it.
  learnRoutes();
  let life: Life | null;
  try {
    life = await begin(options.port ?? 0);
  } catch (error) {
    await store.close();
    throw error;
  }
  const retention = createRetention({
    store,
    clock,
    timer: systemClock,
    log,
    retentionDays: options.retentionDays ?? DEFAULT_RETENTION_DAYS,
  });
  retention.start();
  const hourly = databases.all.length === 0 ? null : createHourlyLook(databases, { clock, log });
  hourly?.start();
  const { port } = life;
  let lastChange = Promise.resolve();
  /** Going down and coming back take a moment, so they run one after the other. */
  const inTurn = (work: () => Promise<void>) => {
    const change = lastChange.then(work);
    lastChange = change.catch(() => undefined);
    return change;
  };
  const goDown = async () => {
    const ending = life;
    life = null;
    await ending?.stop();
  };

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}${BASE_PATH}`,
    isDown: () => life === null,
    goDown: () => inTurn(goDown),
    comeBack: () =>
      inTurn(async () => {
        life ??= await begin(port).catch((cause: unknown) => {
          throw new OperatorError(
            `The service could not listen on port ${port} again: stop whatever is using it, or restart Gumshoe.`,
            { cause },
          );
        });
      }),
    close: () =>
      inTurn(async () => {
        await goDown();
        await retention.stop();
        await hourly?.stop();
        await store.close();
      }),
  };
}

const DAY_MS = 86_400_000;
/** The start has the database to itself. */
const FIRST_AFTER_MS = 60_000;
const ROWS_AT_ONCE = 100;
/** Between two transactions, so that no request waits for more than one. */
const PAUSE_MS = 50;

/** What was sent to a model is kept so long. */
const PAYLOADS_MS = 14 * DAY_MS;

const PARTS = [
  'issues',
  'conversations',
  'artifacts',
  'changes',
  'modelRequests',
  'modelPayloads',
] as const satisfies (keyof Sweep)[];

interface RetentionOptions {
  store: Pick<Store, 'transaction'>;
  /** By which data is old. */
  clock: Pick<Clock, 'now'>;
  /** By which a day passes. */
  timer: Pick<Clock, 'sleep'>;
  log: ServiceLog;
  /** How long what is over is kept. */
  retentionDays: number;
}

/** Deletes expired data once a day, in small transactions; several replicas do each other no harm. */
export function createRetention({ store, clock, timer, log, retentionDays }: RetentionOptions): Worker {
  let isFirst = true;

  async function round(signal: AbortSignal): Promise<void> {
    if (isFirst) await timer.sleep(FIRST_AFTER_MS, signal);
    isFirst = false;
    for (const part of PARTS) {
      const before = clock.now() - (part === 'modelPayloads' ? PAYLOADS_MS : retentionDays * DAY_MS);
      while ((await store.transaction((tx) => tx.sweep[part](before, ROWS_AT_ONCE))) > 0) {
        await timer.sleep(PAUSE_MS, signal);
      }
    }
  }

  return createWorkerLoop({
    // A wait that the shutdown ended rejects.
    round: (signal) => round(signal).catch((error) => (signal.aborted ? undefined : Promise.reject(error))),
    rest: (signal) => timer.sleep(DAY_MS, signal),
    onError: (error) => log.error({ err: error }, 'could not delete expired data'),
  });
}
