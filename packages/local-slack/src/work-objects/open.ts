import { announceEntity } from '../events/announce.ts';
import { outcomeOf } from '../interact/payload.ts';
import type { PageOutcome } from '../page-api.ts';
import type { EntityRequest } from '../page-requests.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { findEntity } from './find.ts';

/**
 * Opens the flexpane of a Work Object for a person. The app is asked for the details each time; if it does not subscribe
 * to the event, the pane shows the same as the card.
 */
export function openEntity(context: WorkspaceContext, input: EntityRequest): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel, message, entity } = findEntity(context, input);
    const { ref, message_ts } = input;
    const place = { user: user.id, channel: channel.id, message_ts, ref };
    const trigger = context.triggers.issue(user.id);
    context.flexpanes.expect(trigger, place);
    const asked = announceEntity(context, { user: user.id, channel, message, entity, trigger_id: trigger });
    context.flexpanes.show({ ...place, ...(asked ? { state: 'loading' } : { state: 'shown', entity }) });
  });
}
