import { capitalize } from '../format.ts';
import type { Hypothesis } from '../hypothesis.ts';

/** `Bad deploy of payments: 1.179.69 rolled out at 11:34 UTC, and …`. */
export function summaryOf({ kind, candidate, assessment }: Hypothesis): string {
  return `${capitalize(headlineOf({ kind, candidate }))}: ${assessment.detail}.`;
}

/** The cause in a few words, without a capital: `bad deploy of payments`. */
export function headlineOf({ kind, candidate }: Pick<Hypothesis, 'kind' | 'candidate'>): string {
  return kind.headline(candidate.node.name, candidate);
}
