import type { BlockAction } from '@slack/bolt';
import { z } from 'zod';
import { actionIds } from '../../render/action-ids.ts';
import type { ListenerDeps, Register } from './deps.ts';

/** A number chosen in a modal: a page, a version, a position in a list. */
export interface ModalChoice {
  view: NonNullable<BlockAction['view']>;
  chosen: number;
  userId: string;
}

const Chosen = z.looseObject({
  value: z.string().optional(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
});

/** A listener for buttons and menus in a modal whose values are numbers. */
export function onModalNumber(
  name: keyof typeof actionIds,
  act: (chosen: ModalChoice, deps: ListenerDeps) => Promise<void>,
): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, action }) => {
        await ack();
        const { view } = body;
        const meant = Chosen.safeParse(action).data;
        const chosen = Number(meant?.selected_option?.value ?? meant?.value);
        if (view && Number.isSafeInteger(chosen)) await act({ view, chosen, userId: body.user.id }, deps);
      },
    );
  };
}
