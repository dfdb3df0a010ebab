import type { Snapshot } from '../../telemetry/snapshot.ts';
import { type Charge, chargesFromSpans } from './from-spans.ts';
import type { Ranking, Reason, Subject, Suspect, SuspectKind } from './types.ts';

/** Who is to blame for what an alert reports, as far as a snapshot of telemetry tells. */
export function rankCauses(snapshot: Snapshot, _subject: Subject): Ranking {
  const charges = chargesFromSpans(snapshot.spans, snapshot.trigger);
  const suspects = suspectsOf(charges);
  return { found: suspects.length > 0, ranking: suspects };
}

function suspectsOf(charges: readonly Charge[]): Suspect[] {
  const total = charges.reduce((sum, { cost }) => sum + cost, 0);
  return Map.groupBy(charges, ({ service }) => service)
    .entries()
    .map(([service, held]) => {
      const sorted = held.toSorted((a, b) => b.cost - a.cost);
      const cost = held.reduce((sum, charge) => sum + charge.cost, 0);
      return {
        service,
        score: cost / total,
        kind: kindOf(sorted[0]?.reason),
        onset: Math.min(...held.map(({ reason }) => reason.onset)),
        reasons: sorted.map(({ reason }) => reason),
        explains: cost / total,
      };
    })
    .toArray()
    .sort((a, b) => b.score - a.score);
}

function kindOf(reason: Reason | undefined): SuspectKind {
  if (reason?.what === 'slow-calls') return 'calls';
  return reason?.what === 'cut-short' ? 'cut-short' : 'latency';
}
