import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { dismissHeld as dismiss, fileHeld } from '../../filing/held.ts';
import type { actionIds } from '../../render/action-ids.ts';
import { CHOSEN, chooseHeld as chooseModal, chooseNothing } from '../../render/held/choose-held.ts';
import { nothingWaits, notThere } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { Hold } from '../../store/holds.ts';
import type { Feature, Register } from '../listening/feature.ts';
import { openModal, readModalState } from '../listening/modals.ts';
import { onButton, onSubmit, type Press } from '../listening/press.ts';
import { heldProblemViews } from '../messages/in-channels.ts';

/** A listener for one of the buttons under a held batch, which only work in that message's channel. */
function onHeldAction(
  name: keyof typeof actionIds,
  act: (hold: Hold, press: Press, deps: Deps) => Promise<Rendered | undefined>,
): Register {
  return onButton(name, async (press, deps) => {
    const hold = await deps.store.holds.get(press.value);
    return hold === null || hold.channel !== press.channel ? nothingWaits() : act(hold, press, deps);
  });
}

const fileAll = onHeldAction('fileAll', async (hold, { userId, moment }, deps) => {
  const { filed, joined } = await fileHeld(hold, 'all', userId, deps, moment.ts);
  return filed + joined === 0 ? nothingWaits() : undefined;
});

const chooseHeld = onHeldAction('chooseHeld', async (hold, { triggerId, respond }, deps) => {
  if (!(await deps.store.alerts.hasUndecided(hold.id))) return nothingWaits();
  const modal = chooseModal({ hold: hold.id, channel: hold.channel }, await heldProblemViews(hold, deps));
  await openModal(triggerId, modal, respond, deps);
  return undefined;
});

const Metadata = z.object({ hold: z.string(), channel: z.string() });
const Ticked = z.record(
  z.string(),
  z.record(z.string(), z.object({ selected_options: z.array(z.object({ value: z.string() })).nullish() })),
);

/** *Choose* was submitted: files the selected problems; the others stay on hold. */
const fileChosen = onSubmit(
  'chooseHeld',
  { read: (state) => readModalState(Metadata, state) },
  async ({ about, userId, values }, deps) => {
    const ticks = Object.values(Ticked.parse(values)).flatMap((fields) => Object.values(fields));
    const chosen = ticks.flatMap((tick) => (tick.selected_options ?? []).map(({ value }) => value));
    if (chosen.length === 0) return { errors: { [`${CHOSEN}:0`]: 'Select at least one alert.' } };
    const hold = await deps.store.holds.get(about.hold);
    if (hold?.channel !== about.channel) return { view: chooseNothing() };
    if (!(await deps.mayRead({ person: userId }, { channel: hold.channel }, 'now'))) {
      return { sentence: notThere() };
    }
    const { filed, joined } = await fileHeld(hold, chosen, userId, deps);
    return filed + joined > 0 ? undefined : { view: chooseNothing() };
  },
);

/** *Dismiss* under held alerts, after Slack's confirmation dialog. */
const dismissHeld = onHeldAction('dismissHeld', async (hold, { userId, moment }, deps) => {
  const dismissed = await dismiss(hold, userId, deps, moment.ts);
  return dismissed === 0 ? nothingWaits() : undefined;
});

export const held: Feature = {
  actions: { chooseHeld, dismissHeld, fileAll },
  views: { chooseHeld: fileChosen },
};
