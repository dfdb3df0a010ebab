import type { ViewSubmitAction } from '@slack/bolt';
import { z } from 'zod';
import { fileHeld } from '../../../filing/held.ts';
import { CHOSEN, chooseNothing } from '../../../render/held/choose-held.ts';
import { notThere, windowIsStale } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { presenceOf } from '../../access/presence.ts';
import type { Register } from '../../listening/deps.ts';
import { readModalState } from '../../listening/modal-state.ts';

const Metadata = z.object({ hold: z.string(), channel: z.string() });
const Ticked = z.record(
  z.string(),
  z.record(z.string(), z.object({ selected_options: z.array(z.object({ value: z.string() })).nullish() })),
);

/** *Choose* was submitted: files the selected problems; the others stay on hold. */
export const chooseHeld: Register = (app, deps) => {
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
      if ((await presenceOf(body.user.id, hold.channel, deps)) !== 'there') {
        return ack({ response_action: 'update', view: sentenceModal(notThere()) });
      }
      const { filed, joined } = await fileHeld(hold, chosen, body.user.id, deps);
      if (filed + joined > 0) await ack();
      else await ack({ response_action: 'update', view: chooseNothing(null) });
    },
  );
};
