import type { Entry } from '../../lib/owners.ts';
import type { OwnAction } from '../actions.ts';
import type { Databases } from '../databases/databases.ts';
import type { Budget } from './budget.ts';
import type {
  AlertRule,
  Change,
  Edge,
  Exported,
  FiredAlert,
  LogLine,
  MetricInfo,
  Objective,
  Reading,
  Series,
  Service,
  Signal,
  Span,
  StateFinding,
  StateObject,
  Trouble,
  Window,
} from './model.ts';

/**
 * A source of telemetry: the investigator's and the agent's only view of a system. Every method is bounded by its
 * budget, never rejects because of the source (that is `unknown`), and reads nothing after the end of its window.
 */
export interface TelemetrySource {
  /** `prometheus`, `loki`, `recorded` …: named in artifacts and gaps. */
  readonly name: string;
  /** How far back its past shows what is usual, in milliseconds; 0 if it has none. */
  readonly pastMs: number;
  services(window: Window, budget: Budget): Promise<Reading<Service[]>>;
  /** Who calls whom, as far as seen. */
  edges(window: Window, budget: Budget): Promise<Reading<Edge[]>>;
  signals(window: Window, budget: Budget): Promise<Reading<Signal[]>>;
  /** The series of some signals, for all services or for some. */
  series(query: SeriesQuery, window: Window, budget: Budget): Promise<Reading<Series[]>>;
  /** Every metric that there is to ask for, by name. `evaluate` reads what it is now. */
  catalog?(window: Window, budget: Budget): Promise<Reading<MetricInfo[]>>;
  /** Everything that the targets of some services export, the most important first, or of all: of the last minutes. */
  exported?(window: Window, budget: Budget, services: readonly string[] | null): Promise<Reading<Exported[]>>;
  /**
   * What every service does lately, or only some: the last part of the window at the resolution at which the source samples, with rates
   * over as few samples as they take. A source whose series are as fine already has none.
   */
  recent?(window: Window, budget: Budget, services?: readonly string[]): Promise<Reading<Series[]>>;
  /**
   * Of a system too large to be read whole: the services that depart the most from their own past, as the source itself
   * ranks them, the first departing most. `null` if all are read together.
   */
  unusual?(window: Window, budget: Budget): Promise<Reading<string[] | null>>;
  /** Log lines of a service, oldest first; `null` for all services. Only those with a text, if one is given. */
  logs(service: string | null, window: Window, budget: Budget, text?: string): Promise<Reading<LogLine[]>>;
  /** The services that write log lines, of a source that has logs. */
  logged?(window: Window, budget: Budget): Promise<Reading<string[]>>;
  /** Sampled traces that touch a service, in full; `null` for all. */
  spans(service: string | null, window: Window, budget: Budget): Promise<Reading<Span[]>>;
  /** Deploys, configuration changes … of every service, oldest first. */
  changes(window: Window, budget: Budget): Promise<Reading<Change[]>>;
  /**
   * What is wrong with the system's own state now, the most likely cause first; `linesOf` returns the newest log lines
   * of a service. Of a large system, what these services say is enough.
   */
  state?(
    window: Window,
    budget: Budget,
    linesOf: (service: string) => Promise<readonly string[]>,
    services?: readonly string[],
  ): Promise<Reading<StateFinding[]>>;
  /** The same as it was at the end of the window, whenever that was, from sources that kept it. */
  stateThen?: TelemetrySource['state'];
  /** What is in the system now, one line of facts an object: for counts and lists. */
  objects?(window: Window, budget: Budget): Promise<Reading<StateObject[]>>;
  /** The databases and brokers that may be looked into, where any is configured. */
  readonly inside?: Databases;
  /** The status pages of others that may be read, where any is configured. */
  readonly statusPages?: StatusPages;
  /** The objectives (SLOs) of a service, as they were at the end of the window. */
  objectives?(service: string, window: Window, budget: Budget): Promise<Reading<Objective[]>>;
  /** What the team does about causes, if its file says. */
  readonly actions?: readonly OwnAction[];
  /** Who owns what, if its file says: a name in which `*` is any text. */
  readonly owners?: readonly Pick<Entry, 'services' | 'name'>[];
  /** The label that names a customer, if one is configured. */
  readonly tenantLabel?: string;
  /** The rule of an alert by its name and labels; `null` if the source has none by that name. */
  alertRule?(alert: AlertIdentity, budget: Budget): Promise<Reading<AlertRule | null>>;
  alertRules?(budget: Budget): Promise<Reading<AlertRule[]>>;
  /** Which alerts fired in the window, the oldest first; what fired before it began has its beginning. */
  fired?(window: Window, budget: Budget): Promise<Reading<FiredAlert[]>>;
  /** The results of an expression in the source's own language over the window; its series have the measure `other`. */
  evaluate?(expression: string, window: Window, budget: Budget): Promise<Reading<Series[]>>;
  /**
   * Says what the work on a budget is about, before anything else is asked on it: a source of several systems chooses
   * among them. The text of an alert may name more than its labels do.
   */
  focus?(labels: Readonly<Record<string, string>>, window: Window, budget: Budget, text?: string): void;
  /**
   * The copies of one system (clusters, regions, tenants with the same services) that an alert with these labels may be
   * about: none if there is one system only, one if the labels say which.
   */
  copies?(
    labels: Readonly<Record<string, string>>,
    window: Window,
    budget: Budget,
  ): Promise<Reading<SystemCopy[]>>;
  /** How many of an alert's labels it knows; if undefined, its services tell. */
  knows?(labels: Readonly<Record<string, string>>, window: Window, budget: Budget): Promise<number>;
  /** Whether the source answers now, and what it recognized; for `/readyz` and `npm run doctor`. */
  check(budget: Budget): Promise<SourceHealth>;
}

/** What the operators of hosts report that our services call. */
interface StatusPages {
  /** The configured host that a name in telemetry means, by itself or by its operator: `stripe`. */
  hostOf(name: string): string | null;
  /** What the page of a configured host says at this moment. */
  read(host: string, budget: Budget): Promise<Reading<Trouble>>;
}

/** One of several systems with the same services. */
export interface SystemCopy {
  /** The labels that choose it. */
  labels: Readonly<Record<string, string>>;
  /** `cluster us`. */
  name: string;
}

export interface AlertIdentity {
  name: string;
  labels: Readonly<Record<string, string>>;
  /** What it measures, in the source's language, where the alert itself says so. */
  expression?: string | null;
  /** Its words. */
  text?: string;
}

interface SeriesQuery {
  /** Ids of signals. */
  signals: readonly string[];
  /** Names of services; all if undefined. */
  services?: readonly string[];
  /** The desired milliseconds between samples; a source with a fixed resolution may return its own. */
  stepMs: number;
  /** Whether to return each instance; a source that cannot distinguish them returns the services. */
  byInstance?: boolean;
  /** Labels to return a series for each value of; a source that cannot returns the services, without those labels. */
  by?: readonly string[];
  /** Whether one sample is enough, the average over the window; a source that cannot returns all of them. */
  isAverage?: boolean;
}

export interface SourceHealth {
  name: string;
  ok: boolean;
  /** One sentence: what it is, or the problem and what to do about it. */
  summary: string;
  /** What it recognized, what is missing and how to get it: one line each. */
  details: readonly string[];
  /** Of several: each one's. */
  parts?: readonly SourceHealth[];
}

/** The health of a source that works if it was read. */
export function healthBy<T>(
  name: string,
  reading: Reading<T>,
  told: (value: T) => Pick<SourceHealth, 'summary'> & Partial<SourceHealth>,
): SourceHealth {
  return reading.known
    ? { name, ok: true, details: [], ...told(reading.value) }
    : { name, ok: false, summary: reading.reason, details: [] };
}

export type OpenSource = TelemetrySource & { close(): Promise<void> };

/** Caches reads: `read` runs once per budget and key. */
export function oncePerBudget<T>(
  read: (key: string, budget: Budget) => Promise<T>,
): (key: string, budget: Budget) => Promise<T> {
  const once = cachePerBudget<T>();
  return (key, budget) => once(key, budget, () => read(key, budget));
}

/** The same where each caller brings its own `read`. */
export function cachePerBudget<T>(): (key: string, budget: Budget, read: () => Promise<T>) => Promise<T> {
  const all = new WeakMap<Budget, Map<string, Promise<T>>>();
  return (key, budget, read) => {
    const done = all.get(budget) ?? new Map<string, Promise<T>>();
    all.set(budget, done);
    const begun = done.get(key) ?? read();
    done.set(key, begun);
    return begun;
  };
}
