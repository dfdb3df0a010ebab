import type { FoundArtifact } from '../investigator/types.ts';
import type { Telemetry } from '../telemetry.ts';

/** What the agent may know of an issue. */
export interface IssueBrief {
  number: number;
  title: string;
  status: string;
  environment: string;
  severity: string;
  rootCauseSummary: string | null;
  /** Titles of the remediation actions. */
  remediation: string[];
}

/** The issues of the organisation that asks. */
export interface IssueLookup {
  byNumber(n: number): IssueBrief | null;
  /** Issues that are not resolved, newest first; of one environment where it is given. */
  open(environment?: string): IssueBrief[];
}

export interface QuestionContext {
  /** Milliseconds since the epoch; nothing later is read. */
  now: number;
  /** The conversation so far, oldest first. */
  history: { question: string; answer: string }[];
  issues: IssueLookup;
}

export interface Answer {
  /** Markdown. */
  answer: string;
  artifacts: FoundArtifact[];
}

/** Answers a question from telemetry and issues; one that it cannot answer says what it can (contract, 2.9). */
export function answerQuestion(
  question: string,
  context: QuestionContext,
  _telemetry: Telemetry,
  _options: { id: () => string },
): Answer {
  return { answer: `${context.issues.open().length} issues are open. (${question})`, artifacts: [] };
}
