import type { Case, Means } from '../case.ts';
import { confidenceOf } from '../confidence.ts';
import { earlierProblem } from '../earlier.ts';
import { rivalOf } from '../hypothesis.ts';
import { impactOf } from '../impact.ts';
import { failingRoute } from '../routes.ts';

/** How sure the first explanation is, on which route alone it shows, how many requests failed; where there is none, what is over already. */
export async function prove(c: Case, { source, budget }: Means): Promise<Case> {
  const { view, subject, placed, hypotheses } = c;
  const { incident } = placed;
  const [best, ...others] = hypotheses;
  const route = incident && (await failingRoute(incident.primary, source, { trigger: view.trigger, budget }));
  const impact = incident && (await impactOf(incident, view, source, budget));
  if (incident === null || best === undefined) {
    const earlier = subject.unknown === null ? earlierProblem(view, subject.named) : null;
    return { ...c, proven: { ...c.proven, route, impact, earlier } };
  }
  const confidence = confidenceOf(best, incident, { gaps: view.gaps, others });
  return { ...c, proven: { confidence, rival: rivalOf(best, others), route, impact, earlier: null } };
}
