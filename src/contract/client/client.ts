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
  /** The base address, already with `/api/v2`. */
  url: string;
  apiKey: string;
  /** Where the key is configured, for what is said about it; `ISSUE_SERVICE_API_KEY` unless told. */
  keyVariable?: KeyVariable;
  /** Sent as `Service-Version` (contract, section 9). */
  version: string;
  clock: Clock;
  /** Uniform in [0, 1), for the jitter of repeats. */
  random?: () => number;
  /** Instead of a pool of the client's own; stays its owner's to close. */
  dispatcher?: Dispatcher;
  /** For each attempt of a call, from first to last byte; 30 seconds unless told. Questions have bounds of their own. */
  timeoutMs?: number;
  /** Instead of the machine's timer, for `timeoutMs`. */
  deadline?: Deadline;
  /** Told of every attempt of a call. */
  onCall?: (call: CallReport) => void;
  /** Told of parts of answers that could not be used and were left out. */
  onDropped?: (drop: DropReport) => void;
}

/** The Issue Investigation Service. Every method rejects with a `ServiceError` of one of a few kinds. */
export interface ServiceClient {
  issues: Issues;
  artifacts: Artifacts;
  query: Query;
  /** How the service stands to us, from the calls so far. */
  health(): ServiceHealth;
  /** Cancels what is under way and gives up the connections. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;

/** A client of one deployment; it holds one pool of connections until it is closed. */
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
