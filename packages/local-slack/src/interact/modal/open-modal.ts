import type { User } from '../../entities.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { type Element, elementsIn } from '../elements.ts';
import { personOf } from '../person.ts';
import { PersonError } from '../person-error.ts';
import type { OpenView } from './open-view.ts';
import { filledIn, type ViewValues } from './state.ts';

/** A modal, and the person who acts in it. */
interface OpenModal {
  user: User;
  view: OpenView;
  elements: Element[];
}

/** @throws PersonError if the person does not have that modal open, on top of its stack. */
export function openedView(context: WorkspaceContext, as: string, view_id: string): OpenModal {
  const user = personOf(context, as);
  const view = context.views.get(view_id);
  if (view?.user !== user.id) throw new PersonError('That modal is no longer open.');
  if (context.views.stackOf(view).at(-1)?.id !== view.id) {
    throw new PersonError('Another modal is open on top of that one.');
  }
  return { user, view, elements: elementsIn(view.blocks) };
}

/**
 * The elements' values after a person's input; what `values` leaves out stays unchanged.
 *
 * @throws PersonError if it names a missing field, or a state that the field cannot have.
 */
export function fillIn(elements: readonly Element[], before: ViewValues, values: ViewValues): ViewValues {
  for (const [block_id, actions] of Object.entries(values)) {
    for (const action_id of Object.keys(actions)) {
      const known = elements.some(
        (element) => element.block_id === block_id && element.action_id === action_id,
      );
      if (!known) throw new PersonError(`There is no field ${block_id} / ${action_id} in that modal.`);
    }
  }
  return filledIn(elements, before, values);
}

/** As `fillIn`, in a modal. */
export function fillView(
  context: WorkspaceContext,
  { view, elements }: OpenModal,
  values: ViewValues,
): OpenView {
  return context.views.fill(view, fillIn(elements, view.values, values));
}
