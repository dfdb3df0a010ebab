import type { Dispatcher } from 'undici';
import type { Clock } from '../../lib/clock.ts';
import type { CallReport } from './call-report.ts';
import type { KeyVariable } from './errors.ts';
import type { ServiceHealth } from './health.ts';
import { createHttp, type DropReport } from './http.ts';
import { type Artifacts, createArtifacts } from './resources/artifacts.ts';
import { createIssues, type Issues } from './resources/issues.ts';
import { createQuery, type Query } from './resources/query.ts';
import type { Deadline } from './transport.ts';

export interface ServiceClientOptions {
  /** The base address, including `/api/v2`. */
  url: string;
  apiKey: string;
  /** The variable that the key comes from, for error messages; `ISSUE_SERVICE_API_KEY` by default. */
  keyVariable?: KeyVariable;
  /** Sent as `Service-Version` (contract, section 9). */
  version: string;
  clock: Clock;
  /** Uniform in [0, 1), for the jitter of retries. */
  random?: () => number;
  /** Used instead of a connection pool of the client's own; its owner closes it. */
  dispatcher?: Dispatcher;
  /** For each attempt of a call, from first to last byte; 30 seconds by default. Questions have their own limits. */
  timeoutMs?: number;
  /** Used instead of the machine's timer, for `timeoutMs`. */
  deadline?: Deadline;
  /** Called for every attempt of a call. */
  onCall?: (call: CallReport) => void;
  /** Called for unusable parts of answers that were dropped. */
  onDropped?: (drop: DropReport) => void;
}

/** The Issue Investigation Service. Every method rejects with some `ServiceError`. */
export interface ServiceClient {
  issues: Issues;
  artifacts: Artifacts;
  query: Query;
  /** The service's health, judging by the calls so far. */
  health(): ServiceHealth;
  /** Cancels calls in progress and closes the connections. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;

/** Creates a client of one deployment, with one connection pool until it is closed. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const http = createHttp({
    ...options,
    random: options.random ?? Math.random,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  });
  return {
    issues: createIssues(http),
    artifacts: createArtifacts(http),
    query: createQuery(http),
    health: () => http.health(),
    close: () => http.close(),
  };
}
