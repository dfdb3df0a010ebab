import type { LookedInside } from '../databases/databases.ts';
import type { Budget } from '../telemetry/budget.ts';
import type { Objective, Trouble } from '../telemetry/model.ts';
import type { SystemCopy, TelemetrySource } from '../telemetry/source.ts';
import type { View } from '../telemetry/view.ts';
import type { Alerted } from './alerted.ts';
import { type Anomaly, type Survey, survey } from './anomalies.ts';
import type { FailingLines } from './failing-lines.ts';
import type { Hypothesis } from './hypothesis.ts';
import type { Impact } from './impact.ts';
import type { Present } from './place/departures.ts';
import type { Incident } from './place/incident.ts';
import type { ChangeVerdict } from './ranking/blamed-change.ts';
import type { Ranking } from './ranking/types.ts';
import type { FailingRoute } from './routes.ts';
import type { TimeLeft } from './time-left.ts';
import type { IssueToInvestigate } from './types.ts';

/**
 * All that is known of one issue. It grows from step to step of the pipeline: a step returns the case with what it found
 * out, and leaves what earlier steps did as it is.
 */
export interface Case {
  issue: IssueToInvestigate;
  /** Which sources are configured: `prometheus`, `loki` … */
  sources: readonly string[];
  /** What was read (`observe`), with the alert's own measure (`subject`). */
  view: View;
  subject: Subject;
  /** What departs over the last hours, and at this moment if the source samples finely enough to say (`facts`). */
  survey: Survey;
  present: Present | null;
  /** Failing lines of the issue's service that were not there before. */
  lines: readonly FailingLines[];
  placed: Placed;
  /** The explanations, the likeliest first, and which changes may be behind them (`explain`). */
  hypotheses: readonly Hypothesis[];
  changes: ChangeVerdict;
  /** What databases say of themselves where something led to them, and what did (`inside`). */
  inside: readonly { why: string; looked: LookedInside }[];
  proven: Proven;
}

/** What the issue is about (`subject`). */
export interface Subject {
  /** The service, as telemetry names it; `null`: whichever is worst. */
  named: string | null;
  /** What it names and telemetry knows nothing of. */
  unknown: string | null;
  /** People's words, which select among its symptoms. */
  text: string;
  /** Where what is open already has its causes. */
  open: ReadonlySet<string>;
  /** The measure of the alert's own rule. */
  alerted: readonly Alerted[];
  /** When the alert's own expression left what was usual; `null` if it was not evaluated, or does not fire. */
  since: number | null;
}

/** Where the problem is (`place`). */
export interface Placed {
  /** What it was told from. */
  by: 'past' | 'present' | null;
  ranking: Ranking;
  /** `null` if everything is healthy. */
  incident: Incident | null;
}

export const NOT_PLACED: Placed = { by: null, ranking: { found: false, ranking: [] }, incident: null };

/** What was looked at once more, to say how sure the verdict is (`prove`). */
interface Proven {
  confidence: 'high' | 'medium' | 'low';
  /** About as likely as the first explanation. */
  rival: Hypothesis | null;
  /** On which route alone the problem shows. */
  route: FailingRoute | null;
  /** How many requests failed. */
  impact: Impact | null;
  /** What others report of the hosts that calls to fail. */
  outside: readonly Trouble[];
  /** What is full, drained or expired soon, the soonest first. */
  left: readonly TimeLeft[];
  /** The objectives (SLOs) of the service that is hit. */
  objectives: readonly Objective[];
  /** What was over before the trigger; only where nothing explains the issue. */
  earlier: Earlier | null;
}

/** What was over before the trigger, or does not matter. */
export interface Earlier {
  anomaly: Anomaly;
  /** Whether it was over by the moment of the view; else nothing shows why it is there. */
  isOver: boolean;
  /** What was wrong then; `null` if telemetry does not show it, or not clearly. */
  cause: { survey: Survey; incident: Incident; best: Hypothesis; confidence: string } | null;
}

/** What a step may use besides the case. */
export interface Means {
  source: TelemetrySource;
  budget: Budget;
  now: number;
  /** The labels of the copy to look at, if the system has several. */
  copy: SystemCopy['labels'];
}

const LOG_SOURCES: ReadonlySet<string> = new Set([
  'loki',
  'victorialogs',
  'elasticsearch',
  'files',
  'journald',
]);

/** Whether there are logs to read somewhere, were there lines or not. */
export function hasLogs({ sources, view }: Pick<Case, 'sources' | 'view'>): boolean {
  return sources.some((name) => LOG_SOURCES.has(name)) || view.snapshot.logs.length > 0;
}

/** A case of which no more is known than what was read. */
export function caseOf(issue: IssueToInvestigate, view: View, subject: Subject): Case {
  return {
    issue,
    sources: [],
    view,
    subject,
    survey: survey(view),
    present: null,
    lines: [],
    placed: NOT_PLACED,
    hypotheses: [],
    changes: { blamed: null, proven: [], suspects: [] },
    inside: [],
    proven: {
      confidence: 'low',
      rival: null,
      route: null,
      impact: null,
      outside: [],
      left: [],
      objectives: [],
      earlier: null,
    },
  };
}
