import type { Budget } from './budget.ts';
import type {
  AlertRule,
  Answer,
  Change,
  Edge,
  LogLine,
  Series,
  Service,
  Signal,
  Span,
  Window,
} from './model.ts';

/**
 * A source of telemetry: the only view of a system that the investigator and the agent have. Every method is bounded by
 * the budget it is given, never rejects for what the source does (that is `unknown`), and reads nothing
 * later than the end of its window.
 */
export interface TelemetrySource {
  /** `prometheus`, `loki`, `recorded` …: what artifacts and gaps are attributed to. */
  readonly name: string;
  /** How far back its past tells what is usual, in milliseconds; 0 if it has none. */
  readonly pastMs: number;
  /** Every service that telemetry shows in the window. */
  services(window: Window, budget: Budget): Promise<Answer<Service[]>>;
  /** Who calls whom, as far as it was seen. */
  edges(window: Window, budget: Budget): Promise<Answer<Edge[]>>;
  /** What can be measured, of all services. */
  signals(window: Window, budget: Budget): Promise<Answer<Signal[]>>;
  /** The series of some signals, for all services at once or for some. */
  series(query: SeriesQuery, window: Window, budget: Budget): Promise<Answer<Series[]>>;
  /** Log lines of a service, oldest first, or of all services for `null`. */
  logs(service: string | null, window: Window, budget: Budget): Promise<Answer<LogLine[]>>;
  /** Sampled traces that touch a service, whole traces; all that there are for `null`. */
  spans(service: string | null, window: Window, budget: Budget): Promise<Answer<Span[]>>;
  /** Deploys, configuration changes … of every service, oldest first. */
  changes(window: Window, budget: Budget): Promise<Answer<Change[]>>;
  /** The rule of an alert by its name and labels; `null` if the source has none by that name. */
  alertRule?(alert: AlertIdentity, budget: Budget): Promise<Answer<AlertRule | null>>;
  /** What an expression of the source's own language returned over the window; its series have the measure `other`. */
  evaluate?(expression: string, window: Window, budget: Budget): Promise<Answer<Series[]>>;
  /** Whether the source answers now, and what it recognised; for `/readyz` and `npm run doctor`. */
  check(budget: Budget): Promise<SourceHealth>;
}

export interface AlertIdentity {
  name: string;
  labels: Readonly<Record<string, string>>;
}

interface SeriesQuery {
  /** Ids of signals. */
  signals: readonly string[];
  /** Names of services; all of them where it is missing. */
  services?: readonly string[];
  /** Milliseconds between samples that are wanted; a source with samples of its own may return those. */
  stepMs: number;
  /** Whether each instance is wanted by itself; a source that cannot tell them apart returns the services. */
  byInstance?: boolean;
}

export interface SourceHealth {
  name: string;
  ok: boolean;
  /** One sentence: what it is, or what is wrong and what to do about it. */
  summary: string;
  /** What it recognised, what is missing and how to get it: a line each. */
  details: readonly string[];
}
