import type { PageOutcome } from '../../page-api.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { chosen } from '../choice.ts';
import { actionTs, sendInteraction, whoAndWhere } from '../payload.ts';
import { outcomeOf } from '../person.ts';
import { PersonError } from '../person-error.ts';
import { surfaceOf } from '../surface.ts';
import { type ElementState, holdsState, type ViewValues } from './state.ts';

/** A click in a modal or on a Home, a choice, or a text that tells the app of itself. */
export interface ViewActionInput {
  as: string;
  view_id: string;
  block_id: string;
  action_id: string;
  /** What the element holds now; nothing of a button. */
  state?: ElementState | undefined;
  /** What the person has put in besides. */
  values?: ViewValues | undefined;
}

/** Sends a `block_actions` payload with the modal or the Home to the app. */
export function actInView(world: WorkspaceContext, input: ViewActionInput): Promise<PageOutcome> {
  const { block_id, action_id, state = {}, values = {} } = input;
  return outcomeOf(async () => {
    const surface = surfaceOf(world, input.as, input.view_id);
    const element = surface.elements.find((one) => one.block_id === block_id && one.action_id === action_id);
    if (!element) throw new PersonError('That is not in the window any more.');
    if (element.input?.dispatches === false) {
      throw new PersonError('The app hears of that field only when the window is sent.');
    }
    const own = holdsState(element) ? { [block_id]: { ...values[block_id], [action_id]: state } } : {};
    const view = surface.fill({ ...values, ...own });
    await sendInteraction(world, {
      type: 'block_actions',
      ...whoAndWhere(world, surface.user),
      container: { type: 'view', view_id: input.view_id },
      trigger_id: world.triggers.issue(surface.user.id, surface.modal),
      view,
      actions: [
        { action_id, block_id, type: element.type, ...chosen(element, state), action_ts: actionTs(world) },
      ],
    });
  });
}
