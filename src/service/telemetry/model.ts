/**
 * Telemetry as seen by the investigator and the agent, independent of its source. Times are milliseconds since the
 * epoch, windows half open.
 */

export interface Window {
  from: number;
  to: number;
}

/**
 * What a source knows. `unknown` is not `none`: the source could not be asked, or does not know, and a sentence for
 * people says why. It never contains a secret.
 *
 * @example
 * const rules = await source.alertRules(budget);
 * return rules.known ? rules.value.map(({ name }) => name) : `The rules are not known: ${rules.reason}`;
 */
export type Reading<T> = Known<T> | Unknown;

interface Known<T> {
  known: true;
  value: T;
  /** Limitations of the answer, one sentence each: a warning of the source, a truncated result. */
  caveats: readonly string[];
}

interface Unknown {
  known: false;
  reason: string;
}

export interface Service {
  /** As named by telemetry. */
  name: string;
  kind: ServiceKind;
  /** Other names used by alerts or other sources. */
  aliases: readonly string[];
  /** Pods and addresses by which alerts identify its instances, if the source distinguishes them. */
  instances?: readonly string[];
  /** Where it runs, if that was seen; remediation commands name nothing else. */
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

/** What is wrong with a cluster's own state now, and what proves it. */
export interface StateFinding {
  /** `app/cart`, `node/worker-1`, `namespace/shop`. */
  object: string;
  /** The thing first, then what is wrong with it: `service_selector_mismatch`. */
  cause: string;
  namespace: string | null;
  /** The workload that it is about, if one. */
  workload?: Workload;
  /** Object and cause in one sentence. */
  sentence: string;
  /** The event, the field, both sides of a mismatch. */
  evidence: readonly string[];
  /** What was looked at and is not the cause. */
  ruledOut?: readonly string[];
  /** The command that shows it, and the one that mends it, if names allow for one. */
  show: string | null;
  mend: string | null;
  /** How sure, 0 to 1. */
  confidence: number;
  /** Other objects whose problem follows from this. */
  explains?: readonly string[];
  /** Which source says so, if it is not the cluster; the query that shows it, and since when. */
  source?: string;
  query?: string;
  since?: number;
  /** Of a machine that is short of memory: how much the pods of each app on it asked for, in bytes each. */
  asked?: readonly { app: string; bytes: number }[];
  /** It is left over from something else: nobody who calls it is the worse for it. */
  isLeftover?: true;
}

/** What the status page of a host reports that is not over. A page without trouble says nothing: they lag. */
export interface Trouble {
  host: string;
  /** Where people read it. */
  url: string;
  incidents: readonly { name: string; since: number | null; isMaintenance: boolean }[];
}

/** An objective (SLO) of a service, as recording rules have it at a moment. */
export interface Objective {
  name: string;
  /** The share of its error budget that is left; below 0 where more is spent. */
  left: number;
  /** What the budget is for. */
  periodMs: number;
  /** How many times as fast as the period allows it is spent now; `null` if that is not recorded. */
  burnRate: number | null;
  /** What has its budget, in the source's language. */
  query: string;
}

/** An object of a cluster, as its own tools list it. */
export interface StateObject {
  /** `Pod`, `Deployment`, `Node` … */
  kind: string;
  namespace: string;
  name: string;
  /** Its cluster, where several were read. */
  cluster?: string;
  /** The name of what controls it. */
  owner: string | null;
  labels?: Readonly<Record<string, string>>;
  /** `Running`, `CrashLoopBackOff`, `2/3 ready`. */
  status: string;
  isWell: boolean;
  restarts: number | null;
  images: readonly string[];
  node: string | null;
  createdAt: number | null;
}

export interface Edge {
  caller: string;
  callee: string;
}

/** What a signal measures, independent of naming conventions. */
export type Measure =
  /** Requests, queries, messages per second. */
  | 'requests'
  /** Failed requests as a share of all, 0 to 1. */
  | 'errors'
  /** Successful requests as a share of all, 0 to 1. */
  | 'success'
  /** Failed requests per second, by what their labels say of why. */
  | 'reasons'
  /** The duration of requests. */
  | 'latency'
  /** The duration of queries, as the service that makes them sees it. */
  | 'queries'
  | 'cpu'
  /** The share of time in which it was throttled by its CPU limit. */
  | 'throttling'
  | 'memory'
  /** The share of time that a runtime stops the program for, to collect garbage. */
  | 'gc'
  | 'disk'
  /** Connections in use. */
  | 'connections'
  /** Requests waiting for a connection, a thread or a worker. */
  | 'waiting'
  /** Waiting messages, jobs or bytes. */
  | 'queue'
  /** The age of the oldest of them, or how far a consumer is behind. */
  | 'lag'
  | 'restarts'
  /** Containers killed at their memory limit. */
  | 'oom-kills'
  /** Ready instances, or a probe's success. */
  | 'up'
  | 'certificate'
  | 'cache-hits'
  /** Activity such as network traffic or system calls. Neither high nor low is bad in itself. */
  | 'activity'
  /** No convention fits: judged on its own. */
  | 'other';

/** So many values of a label are kept of a metric: what has more, may have any. */
export const MOST_LABEL_VALUES = 50;

/** A metric as its exporter describes it, whether or not a convention reads it. */
export interface MetricInfo {
  /** Of a histogram or a summary without `_bucket`, `_sum` and `_count`. */
  name: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary' | 'unknown';
  /** In the exporter's words; empty if it has none. */
  help: string;
  /** As in `Signal`. */
  unit: string;
  /** The values of its labels, `{ queue: ['orders'], job: ['rabbitmq'] }`: some of many, none of a large system. */
  labels: Readonly<Record<string, readonly string[]>>;
}

/** A series as its target exports it, whatever it measures; of a counter its rate a second. */
export interface Exported extends Omit<MetricInfo, 'labels'> {
  /** As which its target is scraped. */
  service: string;
  labels: Readonly<Record<string, string>>;
  points: Points;
  /** The day before them, coarsely. */
  past?: Points;
}

/** One metric of one source, for any services that report it. */
export interface Signal {
  /** Unique within its source. */
  id: string;
  /** The source's name for the metric, or for what it was computed from: `http_requests_total`. */
  name: string;
  /** A few words for use in a sentence: `p95 latency`, `memory working set`. */
  label: string;
  measure: Measure;
  /** UCUM-like: `s`, `ms`, `1` (a ratio), `By`, `{request}/s`, `{connection}`; empty if unknown. */
  unit: string;
  bad: 'high' | 'low' | 'either';
  metricType: 'gauge' | 'sum';
  /** For latency: the quantile, `mean` if it is an average, `null` if unknown. */
  quantile?: number | 'mean' | null;
  /** Of a quantile estimated from buckets: their upper bounds in ascending order, as far as all services have them. */
  bounds?: readonly number[];
  /** Whether it belongs to a machine, and so to everything that runs there. */
  shared?: boolean;
}

/** Samples, oldest first; missing samples are left out. */
export interface Points {
  times: Float64Array;
  values: Float64Array;
}

export interface Series {
  signal: Signal;
  service: string;
  /** One of several pods, hosts or partitions; `null` for the service as a whole. */
  instance: string | null;
  /** Set if it measures one edge only, and on which side. */
  edge: (Edge & { side: 'caller' | 'callee' }) | null;
  /** As named by the source. */
  labels: Readonly<Record<string, string>>;
  points: Points;
  /** Its upper limit, in the same unit, if that is a metric too. */
  limit: Points | null;
  /** The query that returns it, what it was asked for, and a link to it that people can open, if there is one. */
  query: string | null;
  asked?: Asked;
  providerUrl: string | null;
  provider: string;
}

/** The first and the last moment of which a sample was asked for, and how far apart they are, in milliseconds. */
export interface Asked {
  start: number;
  end: number;
  stepMs: number;
}

/** The same again: the query in the source's own language, and where people open it. */
export interface Shown {
  query: string;
  url: string | null;
}

export interface LogLine {
  at: number;
  service: string;
  instance: string | null;
  /** In lower case, if known: `error`, `warn`, `info` … */
  level: string | null;
  message: string;
  traceId: string | null;
  /** Who says it of the service, if that is not its own line: `kubernetes`. */
  reporter?: string;
  /** Of which copy of a system it says that it is: `{ cluster: 'us' }`. */
  copy?: Readonly<Record<string, string>> | undefined;
  shown?: Shown | undefined;
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  service: string;
  operation: string;
  /** Start time. */
  at: number;
  durationMs: number;
  /** `null` if the source does not say. */
  failed: boolean | null;
  message: string | null;
  /** Of which copy of a system it says that it is: `{ cluster: 'us' }`. */
  copy?: Readonly<Record<string, string>> | undefined;
  shown?: Shown | undefined;
}

export interface Change {
  at: number;
  /** `null` if the affected service is unknown. */
  service: string | null;
  /**
   * `deploy`, `config`, `flag`, `scale`, `certificate`, `commit` (not known to be deployed), or the source's own term.
   */
  kind: string;
  title: string;
  version: string | null;
  /** The source's identifier: a commit, a revision. */
  ref: string | null;
  url: string | null;
  /** The contents: commits, file names, a diff. Long, untrusted. */
  details: string | null;
  /** Who wrote its commits; who deployed it may be somebody else. */
  authors?: readonly string[];
  /** The paths of the files that it changes. */
  files?: readonly string[];
  /** The version that ran before, if it was seen to. */
  before?: string | null;
  /** Which instances ran this version, and which another one since it came, if the source distinguishes them. */
  instances?: readonly VersionRun[];
  /** How a person takes it back, if the source knows what to go back to. */
  undo?: Undo | null;
}

/** From when to when an instance was seen to run a version. */
export interface VersionRun {
  instance: string;
  isNew: boolean;
  from: number;
  to: number;
}

/** What to run, or what to do on which page, to take a change back. */
export interface Undo {
  /** In a tool that syncs from git, in the cluster, or in git. */
  by: 'sync' | 'rollout' | 'revert';
  type: 'command' | 'info';
  content: string;
  /** What would roll the change forward again if it is left as it is. */
  note?: string;
}

export interface AlertRule {
  name: string;
  /** What it measures, in the source's language, without the final comparison. */
  expression: string;
  /** The value that the measure is compared with, if that is a number. */
  threshold: { comparison: string; value: number } | null;
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  /** How long it must hold, in milliseconds. */
  heldFor: number;
}

/** One firing of an alert in the past, as its source recorded it. */
export interface FiredAlert {
  name: string;
  labels: Readonly<Record<string, string>>;
  from: number;
  /** When it was last seen firing; `null` if it still was at the end of the window. */
  to: number | null;
}

/** The id of the signal that an alert's own rule measures. */
export const ALERT_RULE_SIGNAL = 'alert rule';

export const NO_POINTS: Points = { times: new Float64Array(0), values: new Float64Array(0) };

export function known<T>(value: T, caveats: readonly string[] = []): Known<T> {
  return { known: true, value, caveats };
}

/** The answer with another value; what limits it stays. */
export function mapped<T, U>(reading: Reading<T>, change: (value: T) => U): Reading<U> {
  return reading.known ? known(change(reading.value), reading.caveats) : reading;
}

export function unknown(reason: string): Unknown {
  return { known: false, reason };
}
