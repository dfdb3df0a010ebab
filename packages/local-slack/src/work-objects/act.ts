import { newId } from '../ids.ts';
import { actionTs, channelOf, outcomeOf, sendInteraction, whoAndWhere } from '../interact/payload.ts';
import { PersonError } from '../interact/person-error.ts';
import { makeResponseUrl } from '../interact/reply.ts';
import { present } from '../messages/present.ts';
import type { PageOutcome } from '../page-api.ts';
import type { EntityActionRequest } from '../page-requests.ts';
import { actionsOf, type Entity } from '../validate/entity.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { findEntity } from './find.ts';

/** Sends the `block_actions` of a Work Object's button, on its card or in the flexpane, to the app. */
export function actOnEntity(context: WorkspaceContext, input: EntityActionRequest): Promise<PageOutcome> {
  return outcomeOf(async () => {
    const { user, channel, message, entity } = findEntity(context, input);
    const { ref, message_ts, where } = input;
    const shown = where === 'card' ? entity : inPane(context, input);
    const action = actionsOf(shown).find(({ action_id }) => action_id === input.action_id);
    if (!action) throw new PersonError('That button is no longer there.');
    const trigger_id = context.triggers.issue(user.id);
    if (where === 'flexpane') {
      context.flexpanes.expect(trigger_id, { user: user.id, channel: channel.id, message_ts, ref });
    }
    const { text, action_id, value, style } = action;
    await sendInteraction(context, {
      type: 'block_actions',
      ...whoAndWhere(context, user),
      container: {
        type: where === 'card' ? 'message_attachment' : 'entity_detail',
        message_ts,
        channel_id: channel.id,
        ...(message.thread_ts !== undefined && { thread_ts: message.thread_ts }),
        ...(where === 'card' && { attachment_id: 1, is_ephemeral: false }),
        entity_url: shown.url,
        external_ref: shown.external_ref,
      },
      trigger_id,
      // Slack's documents do not say that a flexpane's payload has these, so apps must do without them.
      ...(where === 'card' && {
        channel: channelOf(channel),
        message: present(context, channel.id, message),
        response_url: makeResponseUrl(context, channel.id, user.id, message_ts),
      }),
      actions: [
        {
          type: 'button',
          action_id,
          block_id: newId(context.random, '', 5),
          text: { type: 'plain_text', text },
          ...(value !== undefined && { value }),
          ...(style !== undefined && { style }),
          action_ts: actionTs(context),
        },
      ],
    });
  });
}

/** @throws PersonError if the person's flexpane does not show that Work Object. */
function inPane(context: WorkspaceContext, { as, ref }: EntityActionRequest): Entity {
  const pane = context.flexpanes.of(as);
  if (pane?.state !== 'shown' || pane.ref !== ref || !pane.entity) {
    throw new PersonError('The details are not open.');
  }
  return pane.entity;
}
