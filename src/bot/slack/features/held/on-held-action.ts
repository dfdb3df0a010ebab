import type { BlockAction, RespondFn } from '@slack/bolt';
import type { Moment } from '../../../../lib/moment.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { notAllowed, nothingWaits } from '../../../render/notices.ts';
import type { Hold } from '../../../store/holds.ts';
import { momentOf } from '../../commands/moment-of.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { tellPerson } from '../../listening/tell.ts';

/** A button under held alerts was pressed by somebody allowed to. */
interface HeldActionContext {
  hold: Hold;
  userId: string;
  triggerId: string;
  moment: Moment;
  respond: RespondFn;
}

/** A listener for one of the buttons under a held batch, which only work in that message's channel. */
export function onHeldAction(
  name: keyof typeof actionIds,
  act: (context: HeldActionContext, deps: ListenerDeps) => Promise<void>,
): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, context, respond }) => {
        await ack();
        const refusal = await deps.people.refusal(body.user.id);
        if (refusal) return tellPerson(respond, notAllowed(refusal), deps);
        const [action] = body.actions;
        const value = action && 'value' in action ? action.value : undefined;
        const hold = typeof value === 'string' ? await deps.store.holds.get(value) : null;
        if (hold === null || hold.channel !== body.channel?.id) {
          return tellPerson(respond, nothingWaits(), deps);
        }
        const moment = momentOf({ body, context }, deps);
        await act({ hold, userId: body.user.id, triggerId: body.trigger_id, moment, respond }, deps);
      },
    );
  };
}
