import type { Change } from '../../telemetry/model.ts';
import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import type { LogPattern } from '../log-patterns.ts';

/** Evidence for a cause. */
export type Observation =
  | { type: 'metric'; title: string; description: string; anomaly: Anomaly }
  | { type: 'log'; title: string; description: string; pattern: LogPattern }
  | { type: 'change'; title: string; description: string; change: Change };

/** A fault kind's assessment of a candidate. */
export interface Assessment {
  /** 0 to 1: how much of this kind's evidence is present. */
  strength: number;
  /** What happened, with times and numbers; follows the headline and a colon. */
  detail: string;
  observations: Observation[];
}

export interface Step {
  title: string;
  /** `command` to run, `check` to look at, `info` to know. */
  type: 'info' | 'command' | 'check';
  content: string;
  help: string;
  required: boolean;
}

export interface Remedy {
  title: string;
  description: string;
  category: 'immediate' | 'follow_up';
  steps: Step[];
}

/** A fault kind: how to recognise it, and what to do about it. One file each. */
export interface Kind {
  /** For people: `bad deploy`. */
  name: string;
  /** The cause in a few words, without a capital: `bad deploy of payments`. More precise if the candidate is given. */
  headline(service: string, candidate?: Candidate): string;
  /** `null` if this kind's defining evidence is absent. */
  assess(candidate: Candidate): Assessment | null;
  remedies(candidate: Candidate, assessment: Assessment): Remedy[];
}
