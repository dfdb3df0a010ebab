import type { ServiceKind } from '../telemetry/model.ts';
import type { Candidate } from './candidates.ts';
import type { Kind, Recognized } from './kinds/kind.ts';

/** One explanation: this kind of fault at this service. */
export interface Hypothesis {
  candidate: Candidate;
  kind: Kind;
  assessment: Recognized;
  /** Confidence, 0 to 1. */
  score: number;
  /** The ranking order. */
  order: number;
}

/** From this strength on, a kind is shown to be at work; a change that merely came before is not. */
const SHOWN = 0.5;

export function isShown({ assessment: { strength, isOnlyAfter = false } }: Hypothesis): boolean {
  return strength >= SHOWN && !isOnlyAfter;
}

/** When what it is about began: of a resource at its limit, when that ran out. */
export function exhaustedAt({ candidate, assessment: { signs } }: Hypothesis): number {
  return (signs.pool?.worst ?? signs.worst)?.onset ?? candidate.onset;
}

/** What services use. Services report about themselves, so the ranking knows which is to blame. */
export const RESOURCES: ReadonlySet<ServiceKind> = new Set<ServiceKind>([
  'database',
  'cache',
  'queue',
  'external',
  'unknown',
]);

/** At this share of the first explanation's likelihood, telemetry does not decide between the two. */
const RIVALS = 0.7;

/** A second, about equally likely cause elsewhere; `null` if the first stands out, or both are ends of one call. */
export function rivalOf(best: Hypothesis, others: readonly Hypothesis[]): Hypothesis | null {
  const first = best.candidate.suspect;
  if (first === null || best.candidate.brokenCalls.length > 0) return null;
  const rival = others.find(({ candidate }) => candidate !== best.candidate);
  const second = rival?.candidate.suspect ?? null;
  if (rival === undefined || second === null || second.score < RIVALS * first.score) return null;
  // What is degraded with what it uses, for no reason of its own, is no other cause.
  const isExplained = best.assessment.strength >= SHOWN && rival.assessment.strength < SHOWN;
  if (isExplained && RESOURCES.has(best.candidate.node.kind)) return null;
  return rival;
}
