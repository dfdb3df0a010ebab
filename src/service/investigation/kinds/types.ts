import type { Change } from '../../telemetry/model.ts';
import type { Anomaly } from '../anomalies.ts';
import type { Candidate } from '../candidates.ts';
import type { LogPattern } from '../log-patterns.ts';

/** Something that speaks for a cause. */
export type Observation =
  | { type: 'metric'; title: string; description: string; anomaly: Anomaly }
  | { type: 'log'; title: string; description: string; pattern: LogPattern }
  | { type: 'change'; title: string; description: string; change: Change };

/** What a kind of fault makes of a candidate. */
export interface Assessment {
  /** 0 to 1: how much of what this kind of fault would show is there. */
  strength: number;
  /** What happened, with times and numbers; stands after the headline and a colon. */
  detail: string;
  observations: Observation[];
}

export interface Step {
  title: string;
  /** `command` is to be run, `check` to be looked at, `info` to be known. */
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

/** One kind of fault: how it is recognised, and what is to be done about it. One file each. */
export interface Kind {
  /** For people: `bad deploy`. */
  name: string;
  /** The cause in a few words, without a capital: `bad deploy of payments`. More precise where the candidate is given. */
  headline(service: string, candidate?: Candidate): string;
  /** `null` if nothing of what makes this kind is there. */
  assess(candidate: Candidate): Assessment | null;
  remedies(candidate: Candidate, assessment: Assessment): Remedy[];
}
