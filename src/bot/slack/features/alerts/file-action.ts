import type { BlockAction, RespondFn } from '@slack/bolt';
import { seenOfRow } from '../../../filing/channel-message.ts';
import { fileOnRequest } from '../../../filing/on-request.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { alreadyFiled } from '../../../render/alerts/already-filed.ts';
import { messageUnknownHere, notAllowed } from '../../../render/notices.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { refusedAtLimit, tellPerson } from '../../listening/tell.ts';
import { issueReference } from '../issues/issue-reference.ts';

/** *File it* under a person's report, or under an alert in a channel that only suggests. */
export const fileIt: Register = (app, deps) => {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: actionIds.fileIt },
    async ({ ack, body, respond }) => {
      await ack();
      const refusal = await deps.people.refusal(body.user.id);
      if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
      const [action] = body.actions;
      const value = action && 'value' in action ? action.value : undefined;
      const [channel = '', ts = ''] = typeof value === 'string' ? value.split(':') : [];
      // The button is in the message's own channel; a value that names another channel is forged.
      const row = body.channel?.id === channel ? await deps.store.alerts.find(channel, ts) : null;
      if (!row) return tellPerson(respond, messageUnknownHere(), deps);
      const seen = seenOfRow(row, deps.permalink(channel, ts));
      const requested = await fileOnRequest(seen, body.user.id, deps);
      if (requested.became === 'refused') {
        return tellPerson(respond, refusedAtLimit(requested.limit, deps), deps);
      }
      const { issueId, became } = requested;
      // A private offer is removed once it is used; a suggestion in the thread is edited in place.
      if (body.container.is_ephemeral === true) await takeAway(respond, deps);
      const issue = became === 'filed' ? null : await deps.store.issues.get(issueId);
      if (issue) await tellPerson(respond, alreadyFiled(await issueReference(issue, channel, deps)), deps);
    },
  );
};

/** Best effort: a response URL expires after half an hour. */
async function takeAway(respond: RespondFn, { log }: Pick<ListenerDeps, 'log'>): Promise<void> {
  try {
    await respond({ delete_original: true });
  } catch (error) {
    log.warn({ err: error }, 'could not remove an offer: its response URL rejected the call');
  }
}
