/** The alert, as far as it says where to look. */
export interface Subject {
  /** As the alert names it; null where it names none. */
  service: string | null;
  title: string;
  description: string;
}

/** Who may be the cause, most likely first. */
export interface Ranking {
  /** False: nothing is wrong that telemetry shows. The ranking is empty then. */
  found: boolean;
  ranking: readonly Suspect[];
}

export interface Suspect {
  service: string;
  /** The probability that this is the cause, 0 to 1, as recorded incidents have shown it (`docs/benchmarks.md`). */
  score: number;
  /** What moved most. */
  kind: SuspectKind;
  /** When it began, in milliseconds since the epoch; null where that is not known. */
  onset: number | null;
  /** What speaks for it, the strongest first. */
  reasons: readonly Reason[];
  /** The share of what the symptom shows that this accounts for, 0 to 1. */
  explains: number;
}

/**
 * What moved: its latency, or its failures; `calls`: the way to and from it is slow; `cut-short`: its work ends before it is
 * done; `saturation`: a resource is used up; `other`: what else is counted, such as restarts, or what waits.
 */
export type SuspectKind = 'latency' | 'errors' | 'calls' | 'cut-short' | 'saturation' | 'other';

/** In which respect a series shows trouble. `saturation` explains, but does not hurt by itself; all else does. */
export type Aspect = 'latency' | 'errors' | 'calls' | 'saturation' | 'other';

/** One observation. */
export type Reason =
  | {
      what: 'slow-work' | 'slow-calls';
      service: string;
      /** Who is called; null for the service's own work. */
      callee: string | null;
      operation: string;
      /** Milliseconds, on average. */
      now: number;
      usually: number;
      deviation: number;
      onset: number;
    }
  | {
      /** `failures`: spans that failed though nothing below them did. */
      what: 'cut-short' | 'failures';
      service: string;
      operation: string;
      /** Shares of the spans, 0 to 1. */
      now: number;
      usually: number;
      deviation: number;
      onset: number;
    }
  | {
      what: 'series';
      aspect: Aspect;
      service: string;
      /** Where it measures one edge. */
      callee: string | null;
      /** Name of the metric, its unit, and the instance. */
      metric: string;
      unit: string;
      instance: string | null;
      now: number;
      usually: number;
      deviation: number;
      onset: number;
    };
