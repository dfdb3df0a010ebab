import type { PageOutcome } from '../../page-api.ts';
import type { CloseRequest } from '../../page-requests.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { whoAndWhere } from '../payload.ts';
import { outcomeOf } from '../person.ts';
import { openedView } from './open-modal.ts';
import { presentView } from './present.ts';

/**
 * Closes a modal: only this one, or with `clear_on_close` its whole stack. The app is told if the modal has
 * `notify_on_close`; what it answers changes nothing any more.
 */
export function closeView(context: WorkspaceContext, { as, view_id }: CloseRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, view } = openedView(context, as, view_id);
    const is_cleared = view.modal.clear_on_close ?? false;
    const closed = is_cleared ? context.views.stackOf(view).reverse() : [view];
    for (const { id } of closed) context.views.close(id);
    if (!view.modal.notify_on_close || !context.manifest.interactive) return;
    await context.send('interactive', {
      type: 'view_closed',
      ...whoAndWhere(context, user),
      view: presentView(context, view),
      is_cleared,
    });
  });
}
