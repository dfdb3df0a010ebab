/**
 * What telemetry looks like to the investigator and the agent, whatever source it came from. Times are
 * milliseconds since the epoch, windows half open.
 */

export interface Window {
  from: number;
  to: number;
}

/**
 * What a source answers. `unknown` is not `none`: it says that the source could not be asked, or could not tell,
 * and why, in a sentence that people read. It never holds a secret.
 */
export type Answer<T> = Known<T> | Unknown;

interface Known<T> {
  known: true;
  value: T;
  /** What limits the answer, one sentence each: a warning of the source, a truncated result. */
  caveats: readonly string[];
}

interface Unknown {
  known: false;
  reason: string;
}

export interface Service {
  /** As telemetry names it. */
  name: string;
  kind: ServiceKind;
  /** Other names by which alerts or other sources may know it. */
  aliases: readonly string[];
  /** Pods and addresses by which alerts know its instances, where the source tells them apart. */
  instances?: readonly string[];
  /** Where it runs, as far as that was seen; commands in remediation name nothing else. */
  workload: Workload | null;
}

export type ServiceKind =
  | 'web'
  | 'service'
  | 'database'
  | 'cache'
  | 'queue'
  | 'worker'
  | 'external'
  | 'unknown';

export interface Workload {
  namespace: string;
  /** `Deployment`, `StatefulSet`, … */
  kind: string;
  name: string;
}

/** One service calls another. */
export interface Edge {
  caller: string;
  callee: string;
}

/** What a signal measures, the same for every convention. */
export type Measure =
  /** Requests, queries, messages per second. */
  | 'requests'
  /** Failed requests as a share of all, 0 to 1. */
  | 'errors'
  /** Successful requests as a share of all, 0 to 1. */
  | 'success'
  /** The time that requests take. */
  | 'latency'
  | 'cpu'
  /** The share of time in which the CPU limit held it back. */
  | 'throttling'
  | 'memory'
  | 'disk'
  /** Connections in use. */
  | 'connections'
  /** Requests that wait for a connection, a thread or a worker. */
  | 'waiting'
  /** Messages, jobs or bytes that wait. */
  | 'queue'
  /** How old the oldest of them is, or how far a consumer is behind. */
  | 'lag'
  | 'restarts'
  /** Containers that were killed because they reached their memory limit. */
  | 'oom-kills'
  /** Instances that are ready, or a probe that succeeds. */
  | 'up'
  | 'certificate'
  | 'cache-hits'
  /** What it does: network traffic, system calls. Neither high nor low is bad by itself. */
  | 'activity'
  /** No convention fits: looked at by itself. */
  | 'other';

/** One metric of one source, whichever services report it. */
export interface Signal {
  /** Unique within its source. */
  id: string;
  /** The name of the metric as the source has it, or of what was computed from it: `http_requests_total`. */
  name: string;
  /** A few words in a sentence: `p95 latency`, `memory working set`. */
  label: string;
  measure: Measure;
  /** UCUM-like: `s`, `ms`, `1` (a ratio), `By`, `{request}/s`, `{connection}`; empty if it is not known. */
  unit: string;
  bad: 'high' | 'low' | 'either';
  metricType: 'gauge' | 'sum';
  /** Of latency: the quantile, `mean` where it is an average, `null` if it is not known. */
  quantile?: number | 'mean' | null;
  /** Whether it is a machine's, shared by all that run there. */
  shared?: boolean;
}

/** Samples, oldest first; where a sample is missing there is none. */
export interface Points {
  times: Float64Array;
  values: Float64Array;
}

export interface Series {
  signal: Signal;
  service: string;
  /** One of several pods, hosts or partitions; `null` for the service as a whole. */
  instance: string | null;
  /** Set where it measures one edge only, and on which side. */
  edge: (Edge & { side: 'caller' | 'callee' }) | null;
  /** As the source has them. */
  labels: Readonly<Record<string, string>>;
  points: Points;
  /** What it cannot exceed, in the same unit, if that is a metric itself. */
  limit: Points | null;
  /** The query that returns it, and an address that opens it. */
  query: string | null;
  providerUrl: string | null;
  /** Name of the source. */
  provider: string;
}

export interface LogLine {
  at: number;
  service: string;
  instance: string | null;
  /** In lower case as far as it is known: `error`, `warn`, `info` … */
  level: string | null;
  message: string;
  traceId: string | null;
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  service: string;
  operation: string;
  /** When it began. */
  at: number;
  durationMs: number;
  /** `null` if the source does not tell. */
  failed: boolean | null;
  /** What the error says. */
  message: string | null;
}

export interface Change {
  at: number;
  /** `null` if it is not known what it touched. */
  service: string | null;
  /** `deploy`, `config`, `flag`, `scale`, `certificate`, `commit` (not known to be deployed), or what the source calls it. */
  kind: string;
  title: string;
  version: string | null;
  /** A commit, a revision: how the source identifies it. */
  ref: string | null;
  url: string | null;
  /** What it touches: a diff, the names of files. Long, untrusted. */
  details: string | null;
}

/** The rule behind an alert. */
export interface AlertRule {
  name: string;
  /** What it measures, in the source's language, without the comparison at its end. */
  expression: string;
  /** What the measure is compared with, if that is a number. */
  threshold: { comparison: string; value: number } | null;
  labels: Readonly<Record<string, string>>;
  /** In milliseconds: for how long it must hold. */
  heldFor: number;
  health: string | null;
  lastError: string | null;
}

/** The id of the signal that an alert's own rule measures. */
export const ALERT_RULE_SIGNAL = 'alert rule';

export const NO_POINTS: Points = { times: new Float64Array(0), values: new Float64Array(0) };

export function known<T>(value: T, caveats: readonly string[] = []): Known<T> {
  return { known: true, value, caveats };
}

export function unknown(reason: string): Unknown {
  return { known: false, reason };
}
