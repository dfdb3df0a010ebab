import type { BlockAction } from '@slack/bolt';
import { z } from 'zod';
import type { Moment } from '../../../../lib/moment.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { momentOf } from '../../commands/moment-of.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';

/** A button or menu on the Home was used by somebody allowed to. */
export interface HomeActionContext {
  userId: string;
  triggerId: string;
  /** The id of what the press causes; the same if its stored delivery is retried. */
  cause: string;
  value: string;
  moment: Moment;
}

const Action = z.looseObject({
  value: z.string().optional(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
});

/**
 * A listener for one of the Home's buttons. Slack gives no response URL there, so the Home itself shows the outcome.
 */
export function onHomeAction(
  name: keyof typeof actionIds,
  act: (context: HomeActionContext, deps: ListenerDeps) => Promise<void>,
): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, context }) => {
        await ack();
        const userId = body.user.id;
        // The Home of somebody without permission says so.
        if (await deps.people.refusal(userId)) return deps.home.show(userId);
        const { success, data } = Action.safeParse(body.actions[0]);
        const value = (success ? (data.selected_option?.value ?? data.value) : undefined) ?? '';
        const { trigger_id: triggerId } = body;
        const cause = issueIdOf('press', triggerId, userId, actionIds[name], value);
        await act({ userId, triggerId, cause, value, moment: momentOf({ body, context }, deps) }, deps);
      },
    );
  };
}
