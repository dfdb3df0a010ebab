import type { BlockAction } from '@slack/bolt';
import { fileOnRequest } from '../../../filing/on-request.ts';
import { seenOfRow } from '../../../filing/stored-alert.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { messageUnknownHere, notAllowed } from '../../../render/notices.ts';
import type { Register } from '../deps.ts';
import { tellPerson } from '../tell.ts';

/** *File it* under a person's report, or under an alert in a channel that only suggests. */
export const fileIt: Register = (app, deps) => {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: actionIds.fileIt },
    async ({ ack, body, respond }) => {
      await ack();
      const refusal = await deps.people.refusal(body.user.id);
      if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
      const [pressed] = body.actions;
      const value = pressed && 'value' in pressed ? pressed.value : undefined;
      const [channel = '', ts = ''] = typeof value === 'string' ? value.split(':') : [];
      // The button stands in the message's own channel; a value that names another one is not ours.
      const row = body.channel?.id === channel ? await deps.store.alerts.find(channel, ts) : null;
      if (!row) return tellPerson(respond, messageUnknownHere(), deps);
      await fileOnRequest(seenOfRow(row, deps.permalink(channel, ts)), body.user.id, deps);
      deps.rings.filed();
      deps.rings.outbox();
      // What has been offered to one person only is done with; the suggestion in a thread is edited in place.
      if (body.container.is_ephemeral === true) await respond({ delete_original: true });
    },
  );
};
