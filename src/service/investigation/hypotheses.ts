import type { Gap } from '../telemetry/view.ts';
import { accountsFor, type Candidate } from './candidates.ts';
import { capitalize } from './format.ts';
import { weakens } from './gaps.ts';
import type { Incident } from './incident.ts';
import { KINDS } from './kinds/index.ts';
import type { Assessment, Kind } from './kinds/types.ts';

/** One explanation: this kind of fault at this service. */
export interface Hypothesis {
  candidate: Candidate;
  kind: Kind;
  assessment: Assessment;
  /** Confidence, 0 to 1. */
  score: number;
  /** The ranking order. */
  order: number;
}

/**
 * Every explanation, the most likely first. Trouble explained by a callee counts for a third; trouble too small to
 * explain the issue, for half.
 */
export function rankHypotheses(candidates: readonly Candidate[], incident: Incident): Hypothesis[] {
  return candidates
    .flatMap((candidate) =>
      KINDS.flatMap((kind) => {
        const assessment = kind.assess(candidate);
        if (!assessment) return [];
        const accounts =
          accountsFor(candidate.anomalies, [incident.primary]) ||
          (candidate.suspect !== null && !candidate.couldShow(incident.primary));
        const weight =
          candidate.suspicion *
          (candidate.explainedBy.length > 0 && !(candidate.isRanked && candidate.suspicion === 1)
            ? 0.35
            : 1) *
          (accounts ? 1 : 0.5);
        const strength = Math.min(1, assessment.strength);
        const score = strength * weight;
        // If the ranking says who is to blame, the kind only says what happened there.
        const order = candidate.isRanked ? candidate.suspicion + strength / 100 : score;
        return [{ candidate, kind, assessment, score, order }];
      }),
    )
    .sort((a, b) => b.order - a.order || a.candidate.onset - b.candidate.onset);
}

/** At this share of the first explanation's likelihood, telemetry does not decide between the two. */
const RIVALS = 0.7;

/** A second, about equally likely cause elsewhere; `null` if the first stands out, or both are ends of one call. */
export function rivalOf(best: Hypothesis, others: readonly Hypothesis[]): Hypothesis | null {
  const first = best.candidate.suspect;
  if (first === null || best.candidate.brokenCalls.length > 0) return null;
  const rival = others.find(({ candidate }) => candidate !== best.candidate);
  const second = rival?.candidate.suspect ?? null;
  if (rival === undefined || second === null || second.score < RIVALS * first.score) return null;
  return rival;
}

/** `Bad deploy of payments: 1.179.69 rolled out at 11:34 UTC, and …`. */
export function summaryOf({ kind, candidate, assessment }: Hypothesis): string {
  return `${capitalize(headlineOf({ kind, candidate }))}: ${assessment.detail}.`;
}

/** The cause in a few words, without a capital: `bad deploy of payments`. */
export function headlineOf({ kind, candidate }: Pick<Hypothesis, 'kind' | 'candidate'>): string {
  return kind.headline(candidate.node.name, candidate);
}

/**
 * `high`, `medium` or `low`: how likely the place is, calibrated on recorded incidents, or else how much of the fault's
 * signs were seen. Lower if the issue did not name the degraded service, or if something important could not be read.
 */
export function confidenceOf(
  { score, candidate }: Hypothesis,
  incident: Incident,
  gaps: readonly Gap[],
): 'high' | 'medium' | 'low' {
  const known = candidate.isRanked ? (candidate.suspect?.score ?? 0) : score;
  const sure = known - (incident.chosen === 'named' ? 0 : 0.25) - (weakens(gaps) ? 0.2 : 0);
  return sure >= 0.75 ? 'high' : sure >= 0.45 ? 'medium' : 'low';
}
