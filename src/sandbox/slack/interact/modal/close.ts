import type { PageOutcome } from '../../page-api.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { whoAndWhere } from '../payload.ts';
import { outcomeOf } from '../person.ts';
import { openedView } from './opened.ts';
import { presentView } from './present.ts';

/** A modal that a person closes without sending it. */
export interface CloseInput {
  as: string;
  view_id: string;
}

/**
 * Closes a modal: it alone, or with `clear_on_close` its whole stack. The app hears of it where the modal has
 * `notify_on_close`; what it answers changes nothing any more.
 */
export function closeView(world: WorkspaceContext, { as, view_id }: CloseInput): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, view } = openedView(world, as, view_id);
    const is_cleared = view.modal.clear_on_close ?? false;
    const closed = is_cleared ? world.views.stackOf(view).reverse() : [view];
    for (const { id } of closed) world.views.close(id);
    if (!view.modal.notify_on_close || !world.manifest.interactive) return;
    await world.send('interactive', {
      type: 'view_closed',
      ...whoAndWhere(world, user),
      view: presentView(world, view),
      is_cleared,
    });
  });
}
