import type { Diagnosis } from '../investigation/diagnose.ts';
import type { EvidenceStore } from '../investigation/evidence-store.ts';
import type { Profile } from '../investigation/profiles.ts';
import type { Window } from '../telemetry/model.ts';
import type { View } from '../telemetry/view.ts';
import type { AttachedFile } from './parse-question.ts';

/** What the agent may know of an issue. */
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

/** Which issues; `open` are those that are not resolved. */
export interface IssueFilter {
  status: 'open' | 'investigating' | 'ready_to_fix' | 'muted' | 'resolved';
  environment: string | null;
  severity: string | null;
}

/** The issues of the organisation that asks. */
export interface IssueLookup {
  byNumber(n: number): Promise<IssueOverview | null>;
  /** How many there are, and the newest of them (200 at most), newest first. */
  list(filter: IssueFilter): Promise<{ total: number; newest: IssueOverview[] }>;
}

/** A question, with what the conversation before it lends to it. */
export interface Turn {
  /** The question alone, without the lines that tell of an issue. */
  question: string;
  /** Services that this question names, and those it is about. */
  named: readonly string[];
  services: readonly string[];
  /** The number that this question names, and that of the issue it is about. */
  numberNamed: number | null;
  number: number | null;
  /** What the lines before the question say of the issue. */
  context: { title: string; rootCause: string | null } | null;
  /** The metric that this question names, and the one it is about. */
  metricNamed: Profile | null;
  metric: Profile | null;
  /** Whether this question names a time. */
  timed: boolean;
  /** The time that it speaks of; the last hour where it says nothing. */
  window: Window;
  /** The moment that it speaks of: now, or the time of day that it names. */
  at: number;
  /** Whether files came with this question, and those that it can be about. */
  attached: boolean;
  files: readonly AttachedFile[];
  /** If it was overheard what the question is about; `null` if somebody asked so. */
  subjectSource: 'thread' | 'file' | null;
}

/** What an intent may use. */
export interface Tools {
  /** The hours before the moment that the question speaks of. */
  view: View;
  /** Reads another window, of some services or (`null`) of all. */
  look(window: Window, services: readonly string[] | null): Promise<View>;
  /** What is wrong with a service (`null`: with any) at that moment. */
  diagnose(service: string | null): Diagnosis;
  issues: IssueLookup;
  /** The issue that the turn is about; `null` if it is about none, or about one that is not there. */
  issue: IssueOverview | null;
  /** Keeps what was looked at; all of it goes with the answer. */
  evidenceStore: EvidenceStore;
  now: number;
}

/** One thing that the agent can be asked. One file each. */
export interface Intent {
  name: string;
  /** What it can be asked, as an example for `help`; `{service}` stands for the name of one that is known. */
  example: string;
  matches(turn: Turn): boolean;
  /** Whether it can be answered without telemetry. */
  offline?: true;
  /** Markdown. */
  answer(turn: Turn, tools: Tools): string | Promise<string>;
}
