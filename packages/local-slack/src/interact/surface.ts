import type { User } from '../entities.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { type Element, elementsIn } from './elements.ts';
import { presentHome } from './home/present.ts';
import { fillIn, fillView, openedView, presentView } from './modal/open-modal.ts';
import type { ViewValues } from './modal/views.ts';
import { personOf } from './payload.ts';
import { PersonError } from './person-error.ts';

/** Blocks in front of a person in which they can do something: a modal, or their Home. */
export interface Surface {
  user: User;
  elements: Element[];
  /** The modal in which a trigger is issued, so that another may be laid upon it; none on a Home. */
  modal: string | undefined;
  /**
   * Notes what the person has put in.
   *
   * @returns the view as Slack gives it to the app.
   * @throws PersonError if it names a missing field, or a state that the field cannot have.
   */
  fill(values: ViewValues): object;
}

function homeSurface(context: WorkspaceContext, as: string, view_id: string): Surface | undefined {
  const user = personOf(context, as);
  const home = context.store.homes.all().find(({ id }) => id === view_id);
  if (!home) return undefined;
  if (home.user !== user.id) throw new PersonError('That Home belongs to another person.');
  const elements = elementsIn(home.blocks);
  return {
    user,
    elements,
    modal: undefined,
    fill: (values) => {
      const filled = { ...home, values: fillIn(elements, home.values, values) };
      context.store.homes.put(filled);
      return presentHome(context, filled);
    },
  };
}

/** @throws PersonError if the person does not see that view, or another modal is on top of it. */
export function surfaceOf(context: WorkspaceContext, as: string, view_id: string): Surface {
  const home = homeSurface(context, as, view_id);
  if (home) return home;
  const opened = openedView(context, as, view_id);
  const { user, elements } = opened;
  return {
    user,
    elements,
    modal: view_id,
    fill: (values) => presentView(context, fillView(context, opened, values)),
  };
}
