import type { InvestigationResults } from '../../../contract/schema/results.ts';
import { checklistOf, progressOf } from '../../issues/checklist.ts';
import type { ChecklistView } from '../../render/views.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import { statusOf } from './card-view.ts';

/** Where there is nothing left to resolve. */
const CLOSED = new Set(['resolved', 'deleted', 'failed', 'filing']);

/** What people have done of the steps of some results. */
export async function checklistView(
  issue: Issue,
  results: InvestigationResults,
  row: Pick<OutboxRow, 'key' | 'deliveredAt'>,
  store: Store,
): Promise<ChecklistView> {
  const steps = checklistOf(results, await store.checklistSteps.ofIssue(issue.id));
  const progress = progressOf(steps.flat());
  // A new message notifies whom it mentions; an edit does not. So who did a step of an earlier version is said then.
  const isNew = row.deliveredAt === 0;
  if (isNew && progress !== null && progress.done > 0) await store.outbox.again(row.key);
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
