import type { AlertRule, Change, Edge, LogLine, Series, Service, Span, Window } from './model.ts';

/**
 * All data read for one investigation. The analysis is synchronous and pure: the same snapshot gives the same findings.
 */
export interface Snapshot {
  /**
   * The part read at full resolution: from some hours before the trigger to the trigger, or shortly after it if that is
   * in the past.
   */
  window: Window;
  /** When the alert was triggered. Nothing after the end of the window was read. */
  trigger: number;
  /** How far before the window the past of the series was requested, in milliseconds; 0 or undefined for not at all. */
  pastMs?: number;
  services: readonly Service[];
  edges: readonly Edge[];
  /** Over the window, and before it as far back as requested: the past of each series. */
  series: readonly Series[];
  /** Errors and latency per instance, over the last part of the window. */
  instances: readonly Series[];
  logs: readonly LogLine[];
  spans: readonly Span[];
  /** Oldest first. */
  changes: readonly Change[];
  /** The alert's rule, and the results of its expression. */
  rule: { rule: AlertRule; series: readonly Series[] } | null;
  /** What could not be read. */
  gaps: readonly Gap[];
}

/** Something unknown, and why. */
export interface Gap {
  /** Name of the source. */
  source: string;
  /** `metrics`, `logs`, `traces`, `changes`, `services`, `dependencies`. */
  what: string;
  /** A sentence. */
  reason: string;
}
