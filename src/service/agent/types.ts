import type { Diagnosis } from '../investigation/diagnose.ts';
import type { EvidenceStore } from '../investigation/evidence.ts';
import type { Answer, StateFinding, Window } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import type { Turn } from './understand.ts';

/** What the agent may know about an issue. */
export interface IssueOverview {
  number: number;
  title: string;
  status: string;
  environment: string;
  severity: string;
  rootCauseSummary: string | null;
  /** Titles of the remediation actions. */
  remediation: string[];
}

/** A filter for issues; `open` means not resolved. */
export interface IssueFilter {
  status: 'open' | 'investigating' | 'ready_to_fix' | 'muted' | 'resolved';
  environment: string | null;
  severity: string | null;
}

/** The issues of the asking organisation. */
export interface IssueLookup {
  byNumber(n: number): Promise<IssueOverview | null>;
  /** The total, and the newest of them (200 at most), newest first. */
  list(filter: IssueFilter): Promise<{ total: number; newest: IssueOverview[] }>;
}

/** What a tool may read. */
export interface Facts {
  /** The hours before the moment in question. */
  view: View;
  /** Reads another window, for some services or (`null`) for all. */
  look(window: Window, services: readonly string[] | null): Promise<View>;
  /** What is wrong with the cluster's own state now; `null` if no source knows. */
  state(): Promise<Answer<StateFinding[]> | null>;
  /** What is wrong with a service (`null`: with any) at that moment. */
  diagnose(service: string | null): Diagnosis;
  issues: IssueLookup;
  /** The issue that the turn is about; `null` if there is none, or it does not exist. */
  issue: IssueOverview | null;
  /** Stores the data examined; all of it is sent with the answer. */
  evidenceStore: EvidenceStore;
  now: number;
}

/** One thing that the agent can look up. */
export interface Tool {
  name: string;
  /** A question that it answers; `{service}` is replaced by a known service's name. */
  example: string;
  matches(turn: Turn): boolean;
  /** Whether it can answer without telemetry. */
  offline?: true;
  /** Markdown. */
  answer(turn: Turn, facts: Facts): string | Promise<string>;
}
