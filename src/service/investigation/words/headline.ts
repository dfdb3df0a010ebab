import { capitalize } from '../format.ts';
import type { Hypothesis } from '../hypothesis.ts';
import { WORDS } from './kinds.ts';

/** `Bad deploy of payments: 1.179.69 rolled out at 11:34 UTC, and …`. */
export function summaryOf(of: Hypothesis): string {
  return `${capitalize(headlineOf(of))}: ${WORDS[of.kind.name].detail(of)}.`;
}

/** The cause in a few words, without a capital: `bad deploy of payments`. */
export function headlineOf(of: Hypothesis): string {
  return WORDS[of.kind.name].headline(of.candidate.node.name, of);
}
