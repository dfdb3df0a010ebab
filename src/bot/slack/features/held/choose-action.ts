import { chooseHeld as chooseModal } from '../../../render/held/choose-held.ts';
import { nothingWaits } from '../../../render/notices.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';
import { heldProblemViews } from '../../messages/held.ts';
import { onHeldAction } from './on-held-action.ts';

/** *Choose* under held alerts: opens a modal that lists them. */
export const chooseHeld = onHeldAction('chooseHeld', async ({ hold, triggerId, respond }, deps) => {
  if (!(await deps.store.alerts.waitsInHold(hold.id))) return tellPerson(respond, nothingWaits(), deps);
  const modal = chooseModal({ hold: hold.id, channel: hold.channel }, await heldProblemViews(hold, deps));
  await openModal(triggerId, modal, respond, deps);
});
