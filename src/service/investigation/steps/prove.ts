import type { Case, Means } from '../case.ts';
import { confidenceOf } from '../confidence.ts';
import { earlierProblem } from '../earlier.ts';
import { rivalOf } from '../hypothesis.ts';
import { failingRoute } from '../routes.ts';

/** How sure the first explanation is, on which route alone it shows; where there is none, what is over already. */
export async function prove(c: Case, { source, budget }: Means): Promise<Case> {
  const { view, subject, placed, hypotheses } = c;
  const { incident } = placed;
  const [best, ...others] = hypotheses;
  const route = incident && (await failingRoute(incident.primary, source, { trigger: view.trigger, budget }));
  if (incident === null || best === undefined) {
    const earlier = subject.unknown === null ? earlierProblem(view, subject.named) : null;
    return { ...c, proven: { ...c.proven, route, earlier } };
  }
  const confidence = confidenceOf(best, incident, { gaps: view.gaps, others });
  return { ...c, proven: { confidence, rival: rivalOf(best, others), route, earlier: null } };
}
