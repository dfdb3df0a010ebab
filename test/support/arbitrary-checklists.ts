import fc from 'fast-check';
import { checklistOf, progressOf } from '../../src/bot/issues/checklist.ts';
import type { ChecklistView, ResultsView } from '../../src/bot/render/views.ts';
import { anyResults, anyText } from './arbitrary-views.ts';

const id = fc.stringMatching(/^[0-9a-f]{20}$/);
const by = fc.constantFrom('U0ALICE', null, 'U0ALICE');

/** Any finished investigation in its thread, where some of its steps have been ticked off. */
export const anyChecklist: fc.Arbitrary<ResultsView & { checklist: ChecklistView }> = fc
  .record({
    issueId: id,
    number: fc.nat(),
    version: fc.nat({ max: 999_999_999 }),
    title: anyText,
    results: anyResults,
    simulated: fc.boolean(),
    done: fc.array(fc.option(fc.record({ by, at: fc.nat() }), { nil: null }), {
      minLength: 1,
      maxLength: 20,
    }),
    offersResolve: fc.boolean(),
  })
  .map(({ done, offersResolve, ...view }) => {
    const steps = checklistOf(view.results, []).map((list, row) =>
      list.map(({ key, required }, n) => ({ key, required, done: done[(row + n) % done.length] ?? null })),
    );
    const known = steps
      .flat()
      .map((step) => ({ ...step, done: step.done && { by: 'U0ALICE', at: step.done.at } }));
    return { ...view, checklist: { steps, progress: progressOf(known), offersResolve } };
  });
