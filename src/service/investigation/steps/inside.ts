import { ledTo } from '../../databases/lead.ts';
import type { Case, Means } from '../case.ts';
import { isShown } from '../hypothesis.ts';
import { lineAbout, PROOF } from '../kinds/proof.ts';
import { labelsOf } from '../names.ts';

/** Lines of who gets no connection, or waits for an answer. */
const WAITS = [PROOF.pool, PROOF.query, PROOF.connection];

/** An inside is as it is now: it shows nothing of what was over long before. */
const LATELY_MS = 60 * 60_000;

/** What the databases say of themselves from inside, where the verdict, the alert or a failing call leads to one. */
export async function inside(c: Case, { source, now }: Means): Promise<Case> {
  const { issue, view, subject, placed, hypotheses } = c;
  const databases = source.inside;
  if (databases === undefined || now - view.trigger > LATELY_MS) return c;
  const { incident } = placed;
  const [best] = hypotheses;
  const { rule } = view.snapshot.rule ?? {};
  const isExplained = best !== undefined && isShown(best) && best.assessment.isOpen !== true;
  const places = [subject.named, best?.candidate.node.name, incident?.primary.series.edge?.callee];
  const led = ledTo(databases.all, {
    view,
    text: `${issue.title} ${issue.description}`,
    labels: labelsOf(issue),
    expression: rule?.expression ?? null,
    places: places.filter((place) => place != null),
    waits: best !== undefined && WAITS.some((words) => lineAbout(best.candidate, words) !== undefined),
    unexplained: isExplained
      ? []
      : [incident?.symptom, best?.candidate.node.name].filter((one) => one != null),
  });
  const looks = await Promise.all(
    led.map(async ({ name, why }) => ({ why, looked: await databases.look(name, 'verdict') })),
  );
  return { ...c, inside: looks };
}
