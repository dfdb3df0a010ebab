import type { BlockAction, RespondFn, ViewSubmitAction } from '@slack/bolt';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { dismissHeld as dismiss, fileHeld } from '../../filing/held.ts';
import { actionIds } from '../../render/action-ids.ts';
import { CHOSEN, chooseHeld as chooseModal, chooseNothing } from '../../render/held/choose-held.ts';
import { notAllowed, nothingWaits, notThere, windowIsStale } from '../../render/notices.ts';
import { sentenceModal } from '../../render/sentence-modal.ts';
import { viewIds } from '../../render/view-ids.ts';
import type { Moment } from '../../shared/moment.ts';
import type { Hold } from '../../store/holds.ts';
import { momentOf } from '../commands/command.ts';
import type { Feature, Register } from '../listening/feature.ts';
import { openModal, readModalState } from '../listening/modals.ts';
import { notifyPerson } from '../listening/notify.ts';
import { heldProblemViews } from '../messages/in-channels.ts';

/** A button under held alerts was pressed by somebody allowed to. */
interface HeldActionContext {
  hold: Hold;
  userId: string;
  triggerId: string;
  moment: Moment;
  respond: RespondFn;
}

/** A listener for one of the buttons under a held batch, which only work in that message's channel. */
function onHeldAction(
  name: keyof typeof actionIds,
  act: (context: HeldActionContext, deps: Deps) => Promise<void>,
): Register {
  return (app, deps) => {
    app.action<BlockAction>(
      { type: 'block_actions', action_id: actionIds[name] },
      async ({ ack, body, context, respond }) => {
        await ack();
        const refusal = await deps.people.refusal(body.user.id);
        if (refusal) return notifyPerson(respond, notAllowed(refusal), deps);
        const [action] = body.actions;
        const value = action && 'value' in action ? action.value : undefined;
        const hold = typeof value === 'string' ? await deps.store.holds.get(value) : null;
        if (hold === null || hold.channel !== body.channel?.id) {
          return notifyPerson(respond, nothingWaits(), deps);
        }
        const moment = momentOf({ body, context }, deps);
        await act({ hold, userId: body.user.id, triggerId: body.trigger_id, moment, respond }, deps);
      },
    );
  };
}

/** *File all* under held alerts. */
const fileAll = onHeldAction('fileAll', async ({ hold, userId, moment, respond }, deps) => {
  const { filed, joined } = await fileHeld(hold, 'all', userId, deps, moment.ts);
  if (filed + joined === 0) await notifyPerson(respond, nothingWaits(), deps);
});

/** *Choose* under held alerts: opens a modal that lists them. */
const chooseHeld = onHeldAction('chooseHeld', async ({ hold, triggerId, respond }, deps) => {
  if (!(await deps.store.alerts.hasUndecided(hold.id))) return notifyPerson(respond, nothingWaits(), deps);
  const modal = chooseModal({ hold: hold.id, channel: hold.channel }, await heldProblemViews(hold, deps));
  await openModal(triggerId, modal, respond, deps);
});

const Metadata = z.object({ hold: z.string(), channel: z.string() });
const Ticked = z.record(
  z.string(),
  z.record(z.string(), z.object({ selected_options: z.array(z.object({ value: z.string() })).nullish() })),
);

/** *Choose* was submitted: files the selected problems; the others stay on hold. */
const fileChosen: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.chooseHeld },
    async ({ ack, body, view }) => {
      const about = readModalState(Metadata, view.private_metadata);
      if (about === null) return ack({ response_action: 'update', view: sentenceModal(windowIsStale()) });
      const ticks = Object.values(Ticked.parse(view.state.values)).flatMap((fields) => Object.values(fields));
      const chosen = ticks.flatMap((tick) => (tick.selected_options ?? []).map(({ value }) => value));
      if (chosen.length === 0) {
        const field = `${CHOSEN}:0`;
        return ack({ response_action: 'errors', errors: { [field]: 'Select at least one alert.' } });
      }
      const hold = await deps.store.holds.get(about.hold);
      const refusal = await deps.people.refusal(body.user.id);
      if (refusal !== null || hold?.channel !== about.channel) {
        return ack({ response_action: 'update', view: chooseNothing(refusal) });
      }
      if (!(await deps.mayRead({ person: body.user.id }, { channel: hold.channel }, 'now'))) {
        return ack({ response_action: 'update', view: sentenceModal(notThere()) });
      }
      const { filed, joined } = await fileHeld(hold, chosen, body.user.id, deps);
      if (filed + joined > 0) await ack();
      else await ack({ response_action: 'update', view: chooseNothing(null) });
    },
  );
};

/** *Dismiss* under held alerts, after Slack's confirmation dialog. */
const dismissHeld = onHeldAction('dismissHeld', async ({ hold, userId, moment, respond }, deps) => {
  const dismissed = await dismiss(hold, userId, deps, moment.ts);
  if (dismissed === 0) await notifyPerson(respond, nothingWaits(), deps);
});

/** Alerts held during a storm, over a limit, or during a pause. */
export const held: Feature = {
  actions: { chooseHeld, dismissHeld, fileAll },
  views: { chooseHeld: fileChosen },
};
