import { z } from 'zod';
import { type Hypothesis, isShown } from './hypothesis.ts';
import type { IssueToInvestigate } from './types.ts';

const Told = z.looseObject({
  open: z.array(z.looseObject({ cause: z.string() }).catch({ cause: '' })).catch([]),
});

/** Where what is open already has its causes, as far as its words name one of these services: *bad deploy of payments*. */
export function openPlaces(
  { context }: Pick<IssueToInvestigate, 'context'>,
  services: readonly { name: string }[],
): ReadonlySet<string> {
  const told = Told.safeParse(context.metadata).data?.open ?? [];
  const words = new Set(told.flatMap(({ cause }) => cause.toLowerCase().split(/[\s:,/]+/u)));
  return new Set(services.flatMap(({ name }) => (words.has(name.toLowerCase()) ? [name] : [])));
}

/** At this share of the first explanation's likelihood, what is known to be open is the likelier. */
const AS_LIKELY = 0.5;

/** Of what lies beneath the symptom, the one that is open already comes first, where it explains this about as well. */
export function openFirst(
  hypotheses: readonly Hypothesis[],
  open: ReadonlySet<string>,
  beneath: ReadonlyMap<string, unknown>,
): readonly Hypothesis[] {
  const [best] = hypotheses;
  if (best === undefined || open.has(best.candidate.node.name)) return hypotheses;
  const known = hypotheses.find((one) => {
    const { name } = one.candidate.node;
    if (!open.has(name) || !beneath.has(name)) return false;
    return (isShown(one) || !isShown(best)) && one.score >= AS_LIKELY * best.score;
  });
  return known === undefined ? hypotheses : [known, ...hypotheses.filter((one) => one !== known)];
}
