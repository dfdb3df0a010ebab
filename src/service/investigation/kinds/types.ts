import type { Change } from '../../telemetry/telemetry.ts';
import type { Anomaly } from '../anomalies.ts';
import type { LogPattern } from '../log-patterns.ts';
import type { Suspect } from '../suspects.ts';

/** Something that speaks for a cause. */
export type Clue =
  | { type: 'metric'; title: string; description: string; anomaly: Anomaly }
  | { type: 'log'; title: string; description: string; pattern: LogPattern }
  | { type: 'change'; title: string; description: string; change: Change };

/** What a kind of fault makes of a suspect. */
export interface Reading {
  /** 0 to 1: how much of what this kind of fault would show is there. */
  strength: number;
  /** What happened, after the service's name: `exhausted its connection pool: …`, with times and numbers. */
  what: string;
  clues: Clue[];
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
  /** `null` where nothing of what makes this kind is there. */
  weigh(suspect: Suspect): Reading | null;
  remedies(suspect: Suspect, reading: Reading): Remedy[];
}
