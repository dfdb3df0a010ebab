import type { PageOutcome } from '../../page-api.ts';
import type { World } from '../../world.ts';
import { chosen } from '../choice.ts';
import { actionTs, sendInteraction, whoAndWhere } from '../payload.ts';
import { outcomeOf } from '../person.ts';
import { PersonError } from '../person-error.ts';
import { fillView, openedView } from './opened.ts';
import { presentView } from './present.ts';
import { type ElementState, holdsState, type ViewValues } from './state.ts';

/** A click in a modal, a choice, or a text that tells the app of itself. */
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

/** Sends a `block_actions` payload with the modal to the app. */
export function actInView(world: World, input: ViewActionInput): Promise<PageOutcome> {
  const { block_id, action_id, state = {}, values = {} } = input;
  return outcomeOf(async () => {
    const opened = openedView(world, input.as, input.view_id);
    const element = opened.elements.find((one) => one.block_id === block_id && one.action_id === action_id);
    if (!element) throw new PersonError('That is not in the window any more.');
    if (element.input?.dispatches === false) {
      throw new PersonError('The app hears of that field only when the window is sent.');
    }
    const own = holdsState(element) ? { [block_id]: { ...values[block_id], [action_id]: state } } : {};
    const view = fillView(world, opened, { ...values, ...own });
    await sendInteraction(world, {
      type: 'block_actions',
      ...whoAndWhere(world, opened.user),
      container: { type: 'view', view_id: view.id },
      trigger_id: world.triggers.issue(opened.user.id, view.id),
      view: presentView(world, view),
      actions: [
        { action_id, block_id, type: element.type, ...chosen(element, state), action_ts: actionTs(world) },
      ],
    });
  });
}
