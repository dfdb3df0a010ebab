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
  /** When it began, in milliseconds since the epoch; null if that is not known. */
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

/** What an observation compares. */
interface Shift {
  service: string;
  /** Milliseconds on average of spans, a share of them (0 to 1), or in the unit of the series. */
  now: number;
  usually: number;
  /** In units of what it usually varies by. */
  deviation: number;
  /** Milliseconds since the epoch. */
  onset: number;
}

/** One observation. */
export type Reason =
  | (Shift & {
      what: 'slow-work' | 'slow-calls';
      /** Who is called; null for the service's own work. */
      callee: string | null;
      operation: string;
    })
  | (Shift & {
      /** `failures`: spans that failed though nothing below them did. */
      what: 'cut-short' | 'failures';
      operation: string;
    })
  | (Shift & {
      what: 'series';
      aspect: Aspect;
      /** Where it measures one edge. */
      callee: string | null;
      /** Name of the metric, its unit, and the instance. */
      metric: string;
      unit: string;
      instance: string | null;
    });
