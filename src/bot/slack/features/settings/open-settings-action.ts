import type { BlockAction } from '@slack/bolt';
import { actionIds } from '../../../render/action-ids.ts';
import { cameTooLate } from '../../../render/notices.ts';
import type { Register } from '../../listening/deps.ts';
import { tellPerson } from '../../listening/tell.ts';
import { openSettings as open } from './watch-subcommand.ts';

/** *Change settings* or *Watch this channel*, under the answer of `/gumshoe`. */
export const openSettings: Register = (app, deps) => {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: actionIds.openSettings },
    async ({ ack, body, respond }) => {
      await ack();
      const channel = body.channel?.id;
      const [action] = body.actions;
      // The button is in its own channel; a value that names another channel is forged.
      const isOurs = action !== undefined && 'value' in action && action.value === channel;
      if (channel === undefined || !isOurs) return tellPerson(respond, cameTooLate(), deps);
      await open({ userId: body.user.id, channel, triggerId: body.trigger_id, respond }, deps);
    },
  );
};
