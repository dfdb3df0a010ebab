import { routeOf } from '../../src/service/agent/answer.ts';
import { EXAMPLES, learn } from '../../src/service/agent/examples.ts';
import { namesIn } from '../../src/service/agent/names.ts';
import { type Labelled, labelled } from './questions.ts';

/** Whether a question goes where it should; `nothing` accepts that it is not understood. */
export function isRight({ question, services, accept }: Labelled): boolean {
  const { tools, aspects, understood } = routeOf(question, services);
  if (!understood) return accept.includes('nothing');
  return tools.some((tool, i) => accept.includes(tool) || accept.includes(`${tool}:${aspects[i]}`));
}

const FOLDS = 10;

/** Of the examples of each label, how many go where they should by the other examples. */
function leftOut(): { label: string; count: number; right: number }[] {
  const all = Object.entries(EXAMPLES).flatMap(([label, questions]) =>
    questions.map((text) => ({ label, text })),
  );
  const right = new Map<string, number>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const isOut = (i: number) => i % FOLDS === fold;
    const others = Map.groupBy(
      all.filter((_, i) => !isOut(i)),
      ({ label }) => label,
    );
    const routes = learn(
      Object.fromEntries([...others].map(([label, some]) => [label, some.map(({ text }) => text)])),
    );
    for (const { label, text } of all.filter((_, i) => isOut(i))) {
      const { question, words } = namesIn(text, []);
      const [first] = routes({ question, words, named: words.includes('·') ? ['·'] : [] });
      const [tool] = label.split(':');
      if (first?.tool === tool) right.set(label, (right.get(label) ?? 0) + 1);
    }
  }
  return Object.entries(EXAMPLES).map(([label, { length }]) => ({
    label,
    count: length,
    right: right.get(label) ?? 0,
  }));
}

/** A line for each label. */
export function phrasesTable(): string {
  const heldOut = labelled().filter(({ tuned }) => !tuned);
  const right = heldOut.filter((one) => isRight(one)).length;
  const rows = leftOut();
  const sum = rows.reduce((all, one) => all + one.right, 0);
  return [
    `${right} of ${heldOut.length} questions of others go where they should.`,
    `${sum} of ${rows.reduce((all, { count }) => all + count, 0)} examples go to their tool by the others, a tenth left out at a time:`,
    ...rows.map((one) => `${String(one.right).padStart(4)} of ${String(one.count).padStart(4)} ${one.label}`),
  ].join('\n');
}
