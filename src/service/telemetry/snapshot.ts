import type { AlertRule, Change, Edge, LogLine, Series, Service, Span, Window } from './model.ts';

/**
 * All that was read for one investigation. What reasons about it is synchronous and pure: the same snapshot gives the
 * same findings.
 */
export interface Snapshot {
  /** What was read densely: some hours before the trigger until the trigger, or shortly after it if that has passed. */
  window: Window;
  /** When the alert was triggered. Nothing later than the end of the window was read. */
  trigger: number;
  /** How far before the window the past of the series was asked for, in milliseconds; 0 or nothing for not at all. */
  pastMs?: number;
  services: readonly Service[];
  edges: readonly Edge[];
  /** Over the window, and before it as far back as the source was asked: the past of each series. */
  series: readonly Series[];
  /** Errors and latency of single instances, over the last part of the window. */
  instances: readonly Series[];
  logs: readonly LogLine[];
  spans: readonly Span[];
  /** Oldest first. */
  changes: readonly Change[];
  /** The rule of the alert, and what its expression returned. */
  rule: { rule: AlertRule; series: readonly Series[] } | null;
  /** What could not be read. */
  gaps: readonly Gap[];
}

/** Something that is not known, and why. */
export interface Gap {
  /** Name of the source. */
  source: string;
  /** `metrics`, `logs`, `traces`, `changes`, `services`, `dependencies`. */
  what: string;
  /** A sentence. */
  reason: string;
}
