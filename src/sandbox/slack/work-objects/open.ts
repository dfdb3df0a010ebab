import { announceEntity } from '../events/announce.ts';
import { outcomeOf } from '../interact/person.ts';
import type { PageOutcome } from '../page-api.ts';
import type { EntityRequest } from '../page-requests.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { findEntity } from './find.ts';

/**
 * A person opens the flexpane of a Work Object: the app is asked for its details, each time. An app that does not
 * subscribe to that is not asked; the pane then shows what the card does.
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
