import type { User } from '../entities.ts';
import { PersonError } from '../errors.ts';
import { showFiles } from '../files/present.ts';
import { checkModal, type Modal } from '../validate/check.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { type Element, elementsIn } from './elements.ts';
import { presentHome } from './home-view.ts';
import { personOf } from './payload.ts';
import { filledIn, type OpenView, type ViewValues } from './views.ts';

/** A modal as Slack gives it to the app. */
export function presentView({ app, team }: WorkspaceContext, view: OpenView): object {
  const { id, hash, modal, blocks, values, root, previous } = view;
  return {
    id,
    team_id: team.id,
    type: 'modal',
    title: modal.title,
    blocks,
    submit: modal.submit ?? null,
    close: modal.close ?? null,
    private_metadata: modal.private_metadata ?? '',
    callback_id: modal.callback_id ?? '',
    external_id: modal.external_id ?? '',
    clear_on_close: modal.clear_on_close ?? false,
    notify_on_close: modal.notify_on_close ?? false,
    state: { values },
    hash,
    previous_view_id: previous,
    root_view_id: root,
    app_id: app.id,
    app_installed_team_id: team.id,
    bot_id: app.bot_id,
  };
}

/**
 * A modal as an app sends it, held against Slack's limits and its files.
 *
 * @throws SlackError `invalid_arguments` with every fault, `view_too_large`.
 */
export function checkedModal(context: WorkspaceContext, value: unknown): Modal {
  const modal = checkModal(value);
  showFiles(context, modal.blocks, '/view/blocks', 'invalid_arguments');
  return modal;
}

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
function fillIn(elements: readonly Element[], before: ViewValues, values: ViewValues): ViewValues {
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
