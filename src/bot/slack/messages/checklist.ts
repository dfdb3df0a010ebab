import type { InvestigationResults } from '../../../contract/schema/results.ts';
import { checklistOf, progressOf } from '../../issues/checklist.ts';
import type { ChecklistView } from '../../render/views.ts';
import type { Issue } from '../../store/issues.ts';
import type { Aggregates } from '../../store/open.ts';
import { statusOf } from './card-view.ts';

/** Where there is nothing left to resolve. */
const CLOSED = new Set(['resolved', 'deleted', 'failed', 'filing']);

/**
 * What people have done of the steps of some results.
 *
 * @param isNew whether the message is yet to be posted. A new message notifies whom it mentions; an edit does not. So who
 *   did a step of an earlier version is said by an edit.
 */
export async function checklistView(
  issue: Issue,
  results: InvestigationResults,
  isNew: boolean,
  store: Pick<Aggregates, 'checklistSteps'>,
): Promise<ChecklistView> {
  const steps = checklistOf(results, await store.checklistSteps.ofIssue(issue.id));
  const progress = progressOf(steps.flat());
  return {
    steps: steps.map((list) =>
      list.map(({ key, done }) => ({
        key,
        done: done === null ? null : { by: isNew ? null : done.by, at: done.at },
      })),
    ),
    progress,
    offersResolve: progress?.complete === true && issue.joinedInto === null && !CLOSED.has(statusOf(issue)),
  };
}
