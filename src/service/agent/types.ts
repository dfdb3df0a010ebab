import type { ServiceOwner, StoredFindings } from '../../contract/schema.ts';
import type { Databases } from '../databases/databases.ts';
import type { Diagnosis } from '../investigation/diagnose.ts';
import type { Investigation, IssueToInvestigate, NewArtifact } from '../investigation/types.ts';
import type { EvidenceStore } from '../investigation/words/artifacts.ts';
import type {
  AlertRule,
  Change,
  LogLine,
  Reading,
  Series,
  StateFinding,
  StateObject,
  Window,
} from '../telemetry/model.ts';
import type { TelemetrySource } from '../telemetry/source.ts';
import type { View } from '../telemetry/view.ts';
import type { Catalog } from './catalog/find.ts';

/** Whom a client lets see what it sends, besides the service itself. */
export interface Visible {
  /** Whether it comes from a private channel; `null` if that is not known. */
  visibility: 'public' | 'private' | null;
  /** Of what is private: the host of the one language model that its channel has agreed to; `null` for none. */
  agreedModel: string | null;
}

export interface IssueOverview extends Visible {
  number: number;
  title: string;
  status: string;
  environment: string;
  severity: string;
  /** Milliseconds since the epoch. */
  triggeredAt: number;
  rootCauseSummary: string | null;
  /** Titles of its actions. */
  remediation: string[];
}

export interface IssueRecord extends IssueOverview, IssueToInvestigate {
  /** What its newest investigation has found so far; `null` before anything was. */
  findings: StoredFindings | null;
}

/** What was found of an issue; `number` is `null` of what a question had looked into. */
export type Looked = Omit<IssueRecord, 'number' | 'remediation' | keyof Visible> & { number: number | null };

/** What results are about, as far as telemetry knows it. */
export interface IssueScope {
  issue: Looked;
  /** The service that the issue is about; `null` if telemetry does not know it. */
  symptom: string | null;
  causes: readonly string[];
  /** All services that its results involve: the symptom, the causes, and those between. */
  services: readonly string[];
  /** What it is about, in its own words, if telemetry knows nothing by that name. */
  unknown: string | null;
  /** When it began, according to its results; else when it was triggered. Milliseconds. */
  onset: number;
}

/** A filter for issues; `open` means not resolved. */
export interface IssueFilter {
  status: 'open' | 'investigating' | 'ready_to_fix' | 'muted' | 'resolved';
  environment: string | null;
  severity: string | null;
}

/** The issues of the asking organization. */
export interface IssueLookup {
  byNumber(n: number): Promise<IssueRecord | null>;
  /** The total, and the newest of them (200 at most), newest first. */
  list(filter: IssueFilter): Promise<{ total: number; newest: IssueOverview[] }>;
}

export interface Facts {
  /** The hours before the moment in question, evenly sampled; in an issue's scope, from before its onset. */
  view: View;
  /** The same with the newest minutes as finely as they are scraped: what is said of the present is from here. */
  fine: View;
  /** What was at the time of another issue. */
  viewAt(issue: IssueRecord): Promise<Pick<Facts, 'view' | 'fine'>>;
  /** Deploys and other changes, oldest first, up to the present. */
  changes(window: Window): Promise<readonly Change[]>;
  /** Reads another window, for some services or (`null`) for all. */
  look(window: Window, services: readonly string[] | null): Promise<View>;
  /** The lines of a service, or of any, that have a text in them; oldest first. */
  search(text: string, service: string | null, window: Window): Promise<Reading<LogLine[]>>;
  /** What is wrong with the cluster's own state now; `null` if no source knows. */
  state(): Promise<Reading<StateFinding[]> | null>;
  /** The databases and brokers that may be looked into; `null` if none is configured. */
  inside: Databases | null;
  /** What is in the cluster now; `null` if no source knows. */
  objects(): Promise<Reading<StateObject[]> | null>;
  /** The alerting rules that a source evaluates; unknown if none does. */
  rules(): Promise<Reading<AlertRule[]>>;
  /** What an expression of a rule gives over a window, a series for each of its alerts; sampled every minute. */
  evaluate(expression: string, window: Window): Promise<Reading<Series[]>>;
  /** Every metric that there is, to be found by words; `null` if no source lists them. */
  catalog: Catalog | null;
  /** What is wrong with a service (`null`: with any) at that moment. */
  diagnose(service: string | null): Diagnosis;
  /** What the lines before the question say about its issue. */
  context: { number: number; title: string; rootCause: string | null; services: readonly string[] } | null;
  issues: IssueLookup;
  owners: readonly ServiceOwner[];
  /** The same of any service, as the service’s own file says. */
  owned: NonNullable<TelemetrySource['owners']>;
  open: readonly IssueOverview[];
  /** The issue that the turn is about; `null` if there is none, or it does not exist. */
  issue: IssueRecord | null;
  /** The same, as far as telemetry knows it; `null` if the turn names something else. */
  scope: IssueScope | null;
  /** The same, also where the turn names something else. */
  thread: IssueScope | null;
  /** The same look that an issue about it would get, in the system that is looked at. */
  investigate(about: { question: string; service: string | null; at: number }): Promise<Investigation>;
  attach(artifacts: readonly NewArtifact[]): void;
  /** Stores the data examined; all of it is sent with the answer. */
  evidenceStore: EvidenceStore;
  /** Sends artifacts of the issue's results with the answer. */
  cite(ids: readonly string[]): void;
  now: number;
  /** What is connected: `prometheus`, `loki` … */
  sources: readonly string[];
  hasState: boolean;
}
