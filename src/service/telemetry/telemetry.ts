/**
 * The investigator's only view of a system: it may import this and `lib/`, nothing else of the sandbox,
 * so that another source can stand behind it. Times are milliseconds since the epoch, windows half open.
 */
export interface Telemetry {
  /** Every service with the services it calls. */
  services(): ServiceNode[];
  /** The names of the metrics that a service reports. */
  metricNames(service: string): MetricInfo[];
  /** One metric of a service, evenly sampled, oldest first. */
  metric(service: string, name: string, window: Window): Point[];
  logs(service: string, window: Window): LogLine[];
  /** Deploys, configuration changes, certificate renewals … of every service. */
  changes(window: Window): Change[];
  /** Sampled traces that touch the service. */
  traces(service: string, window: Window): Span[];
}

export interface Window {
  from: number;
  to: number;
}

export interface ServiceNode {
  name: string;
  kind: 'web' | 'service' | 'database' | 'cache' | 'queue' | 'worker';
  calls: string[];
}

export interface MetricInfo {
  name: string;
  description: string;
  /** UCUM-like: `ms`, `1` (a ratio), `By`, `{request}/s`, `{connection}`, `s`. */
  unit: string;
  metricType: 'gauge' | 'sum';
}

export interface Point {
  at: number;
  value: number;
}

export interface LogLine {
  at: number;
  level: 'info' | 'warn' | 'error';
  message: string;
}

export interface Change {
  at: number;
  service: string;
  kind: 'deploy' | 'config' | 'certificate' | 'scale';
  title: string;
  version: string | null;
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  service: string;
  operation: string;
  at: number;
  durationMs: number;
  error: string | null;
}
