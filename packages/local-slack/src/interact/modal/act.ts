import type { PageOutcome } from '../../page-api.ts';
import type { ViewActionRequest } from '../../page-requests.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { chosen } from '../choice.ts';
import { actionTs, sendInteraction, whoAndWhere } from '../payload.ts';
import { outcomeOf } from '../person.ts';
import { PersonError } from '../person-error.ts';
import { surfaceOf } from '../surface.ts';
import { holdsState } from './state.ts';

/** Sends a `block_actions` payload with the modal or the Home to the app. */
export function actInView(context: WorkspaceContext, input: ViewActionRequest): Promise<PageOutcome> {
  const { block_id, action_id, state = {}, values = {} } = input;
  return outcomeOf(async () => {
    const surface = surfaceOf(context, input.as, input.view_id);
    const element = surface.elements.find((one) => one.block_id === block_id && one.action_id === action_id);
    if (!element) throw new PersonError('That is no longer in the modal.');
    if (element.input?.dispatches === false) {
      throw new PersonError('The app only sees that field when the modal is submitted.');
    }
    const own = holdsState(element) ? { [block_id]: { ...values[block_id], [action_id]: state } } : {};
    const view = surface.fill({ ...values, ...own });
    await sendInteraction(context, {
      type: 'block_actions',
      ...whoAndWhere(context, surface.user),
      container: { type: 'view', view_id: input.view_id },
      trigger_id: context.triggers.issue(surface.user.id, surface.modal),
      view,
      actions: [
        { action_id, block_id, type: element.type, ...chosen(element, state), action_ts: actionTs(context) },
      ],
    });
  });
}
