import type { Points, Series } from '../../telemetry/model.ts';
/** The alert, as far as it says where to look. */
export interface Subject {
  /** As named by the alert; null if it names none. */
  service: string | null;
}

/** Possible causes, most likely first. */
export interface Ranking {
  /** False: telemetry shows no problem, and the ranking is empty. */
  found: boolean;
  ranking: readonly Suspect[];
}

export interface Suspect {
  service: string;
  /** The probability that this is the cause, 0 to 1, calibrated on recorded incidents (`docs/benchmarks.md`). */
  score: number;
  /** What moved most. */
  kind: SuspectKind;
  /** When it began, in milliseconds since the epoch; null if unknown. */
  onset: number | null;
  /** The evidence for it, the strongest first. */
  reasons: readonly Reason[];
}

/**
 * What moved: its latency, or its failures; `calls`: calls to and from it are slow; `cut-short`: its work ends early;
 * `saturation`: a resource is used up; `other`: other counts, such as restarts, or waiting work.
 */
export type SuspectKind = 'latency' | 'errors' | 'calls' | 'cut-short' | 'saturation' | 'other';

/** The kind of problem that a series shows. `saturation` explains, but does not hurt by itself; the others do. */
export type Aspect = 'latency' | 'errors' | 'calls' | 'saturation' | 'other';

/** The values that an observation compares. */
interface Shift {
  service: string;
  /** Average milliseconds of spans, a share of them (0 to 1), or in the unit of the series. */
  now: number;
  usually: number;
  /** In units of its usual variation. */
  deviation: number;
  /** Milliseconds since the epoch. */
  onset: number;
}

export type Reason =
  | (Shift & {
      what: 'slow-work' | 'slow-calls';
      /** The service called; null for the service's own work. */
      callee: string | null;
      operation: string;
    })
  | (Shift & {
      /** `failures`: spans that failed though nothing below them did. */
      what: 'cut-short' | 'failures';
      operation: string;
    })
  | (Shift & {
      /** What always happened in requests and no longer does, or is new there. */
      what: 'departure';
      /** The kind of request; without traces, the line after which it happened. */
      operation: string;
      event: string;
      /** In which share of requests it happened, minute by minute. */
      shares: Points;
    })
  | (Shift & {
      what: 'series';
      aspect: Aspect;
      /** Set if it measures one edge: whose calls they are is a part of what it is. */
      caller: string | null;
      callee: string | null;
      /** The id of its signal: a metric may be read as several. */
      signal: string;
      instance: string | null;
    });

/** A series that has left its past range, in the direction that is bad for its measure. */
export interface Deviation {
  series: Series;
  /** In units of its usual variation; about 0 for a normal series. */
  deviation: number;
  /** In the source's unit. */
  now: number;
  usually: number;
  /** When it left its past range. */
  onset: number;
  /** It is used up, whatever its past: this explains everything that depends on it. */
  isExhausted?: true;
}
