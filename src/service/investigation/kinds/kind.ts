import type { Change } from '../../telemetry/model.ts';
import type { Anomaly } from '../anomalies.ts';
import type { Candidate, FailureReason } from '../candidates.ts';
import type { LogPattern } from '../log-patterns.ts';

export type KindName =
  | 'bad deploy'
  | 'bad instance'
  | 'broken edge'
  | 'cache misses'
  | 'cache outage'
  | 'certificate expiry'
  | 'configuration change'
  | 'connection-pool exhaustion'
  | 'CPU starvation'
  | 'disk full'
  | 'external dependency'
  | 'memory leak'
  | 'out of memory'
  | 'outage'
  | 'outbound failure'
  | 'queue backlog'
  | 'slow query'
  | 'TLS failure'
  | 'traffic surge'
  | 'unexplained';

/**
 * A fault kind: how to recognize it. `words/kinds.ts` has its sentences, `remedies.ts` what to do about it.
 *
 * @example
 * { name: 'disk full', recognize: (candidate) => candidate.anomaly('disk') === undefined ? null : { strength: 0.4, … } }
 */
export interface Kind {
  name: KindName;
  /** More load alone may bring it about. */
  comesWithLoad?: true;
  /** `null` if this kind's defining evidence is absent. */
  recognize(candidate: Candidate): Recognized | null;
}

/** A fault kind at a candidate, as far as it shows. */
export interface Recognized {
  /** 0 to 1: how much of this kind's evidence is present. */
  strength: number;
  /** What shows it, the most telling first. */
  observations: readonly Observed[];
  signs: Signs;
  /** All that speaks for it is that it came before. */
  isOnlyAfter?: boolean;
  /** It names the place, and nothing shows what happened there. */
  isOpen?: boolean;
  /** It follows from what was slow before. */
  isEffect?: boolean;
}

/** The parts of the evidence that sentences name. */
interface Signs {
  /** What represents it. */
  worst?: Anomaly | undefined;
  symptom?: Anomaly | undefined;
  line?: LogPattern | undefined;
  reason?: FailureReason | undefined;
  change?: Change | undefined;
  /** From the change to the symptom, in milliseconds. */
  lead?: number;
  /** From the change to what the alert itself measures, which moved at another time than the symptom. */
  isAlerted?: boolean;
  /** Of its limit. */
  share?: number | null;
  killed?: Anomaly | undefined;
  collection?: Anomaly | undefined;
  restarts?: Anomaly | undefined;
  pool?: Pool | null;
  throughput?: Anomaly | undefined;
}

/** The state of a pool that is full, or for which requests wait. */
export type Pool = { waiting: Anomaly | undefined; worst: Anomaly } & (
  | { isFull: true; used: Anomaly; limit: number }
  | { isFull: false; used: Anomaly | undefined; limit: number | null }
);

export type Observed =
  | { type: 'metric'; anomaly: Anomaly; of: string; meaning?: Meaning }
  | { type: 'reason'; reason: FailureReason }
  | { type: 'log'; pattern: LogPattern }
  | { type: 'change'; change: Change; lead: number; isAlerted: boolean };

/** What an anomaly says about a kind; `words/observed.ts` has the sentences. */
export type Meaning =
  | 'nothing after'
  | 'only instance'
  | 'calls'
  | 'as called'
  | 'after expiry'
  | 'before expiry'
  | 'holds connections'
  | 'reads rows'
  | 'no more requests'
  | 'memory limit'
  | 'limit'
  | 'follows the CPU'
  | 'follows the memory'
  | 'follows the disk'
  | 'follows the connections'
  | 'follows the traffic';

export function seen(anomaly: Anomaly | undefined, of: string, meaning?: Meaning | null): Observed[] {
  if (anomaly === undefined) return [];
  return [{ type: 'metric', anomaly, of, ...(meaning == null ? {} : { meaning }) }];
}

export function logged(pattern: LogPattern | undefined): Observed[] {
  return pattern === undefined ? [] : [{ type: 'log', pattern }];
}

/** The meaning, if one thing came after another. */
export function ifAfter(later: Anomaly, earlier: Anomaly | undefined, meaning: Meaning): Meaning | null {
  return earlier !== undefined && later.onset >= earlier.onset ? meaning : null;
}

/** The candidate's worst symptom noticeable to callers. */
export function symptomOf(candidate: Candidate): Anomaly | undefined {
  return SYMPTOMS.map((measure) => candidate.anomaly(measure)).find((found) => found !== undefined);
}

const SYMPTOMS = ['errors', 'success', 'latency', 'queue', 'lag', 'cache-hits'] as const;

/** The highest share of its limit used, 0 to 1 and more; `null` if no limit is known. */
export function limitShare(candidate: Candidate, { series, worst }: Anomaly): number | null {
  const limit = series.signal.unit === '1' ? 1 : candidate.limitOf(series);
  return limit === null || limit <= 0 ? null : worst / limit;
}

/** From this share of its limit on a resource has nothing left. */
const EXHAUSTED = 0.9;

/** Whether it is a resource at its limit: a fact of its own, whatever else explains the issue. */
export function isAtLimit({ signs: { share, pool }, isEffect = false }: Recognized): boolean {
  return !isEffect && ((share ?? 0) >= EXHAUSTED || pool?.isFull === true);
}
