import type { InvestigationResults } from '../../../contract/answers.ts';
import { checklistOf, progressOf } from '../../issues/checklist.ts';
import type { ChecklistView } from '../../render/views.ts';
import type { Issue } from '../../store/issues.ts';
import type { Aggregates } from '../../store/open.ts';
import { statusOf } from './card-view.ts';

/** States in which an issue cannot be resolved. */
const CLOSED = new Set(['resolved', 'deleted', 'failed', 'filing']);

/**
 * The state of a checklist: which steps people have done.
 *
 * @param isNew whether the message is yet to be posted. A new message notifies the people it mentions, an edit does
 *   not, so steps done in an earlier version are attributed in an edit.
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
