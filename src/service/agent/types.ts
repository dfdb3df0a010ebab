import type { Diagnosis } from '../investigation/diagnose.ts';
import type { EvidenceStore } from '../investigation/evidence-store.ts';
import type { Profile } from '../investigation/profiles.ts';
import type { Window } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import type { AttachedFile } from './parse-question.ts';

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

/** A question, completed from the conversation before it. */
export interface Turn {
  /** The question alone, without the lines that describe an issue. */
  question: string;
  /** Services named in this question, and those it is about. */
  named: readonly string[];
  services: readonly string[];
  /** The issue number named in this question, and that of the issue it is about. */
  numberNamed: number | null;
  number: number | null;
  /** What the lines before the question say about the issue. */
  context: { title: string; rootCause: string | null } | null;
  /** The metric named in this question, and the one it is about. */
  metricNamed: Profile | null;
  metric: Profile | null;
  /** Whether this question names a time. */
  timed: boolean;
  /** The window it is about; the last hour by default. */
  window: Window;
  /** The moment it is about: now, or the time of day that it names. */
  at: number;
  /** Whether this question has attachments, and the files it may be about. */
  attached: boolean;
  files: readonly AttachedFile[];
  /** Where the subject was inferred from; `null` if the question stated it. */
  subjectSource: 'thread' | 'file' | null;
}

/** What an intent may use. */
export interface Tools {
  /** The hours before the moment in question. */
  view: View;
  /** Reads another window, for some services or (`null`) for all. */
  look(window: Window, services: readonly string[] | null): Promise<View>;
  /** What is wrong with a service (`null`: with any) at that moment. */
  diagnose(service: string | null): Diagnosis;
  issues: IssueLookup;
  /** The issue that the turn is about; `null` if there is none, or it does not exist. */
  issue: IssueOverview | null;
  /** Stores the data examined; all of it is sent with the answer. */
  evidenceStore: EvidenceStore;
  now: number;
}

/** One kind of question that the agent answers. One file each. */
export interface Intent {
  name: string;
  /** An example for `help`; `{service}` is replaced by a known service's name. */
  example: string;
  matches(turn: Turn): boolean;
  /** Whether it can be answered without telemetry. */
  offline?: true;
  /** Markdown. */
  answer(turn: Turn, tools: Tools): string | Promise<string>;
}
