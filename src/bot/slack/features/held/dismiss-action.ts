import { dismissHeld as dismiss } from '../../../filing/held.ts';
import { nothingWaits } from '../../../render/notices.ts';
import { tellPerson } from '../../listening/tell.ts';
import { onHeldAction } from './on-held-action.ts';

/** *Dismiss* under held alerts, after Slack's confirmation dialog. */
export const dismissHeld = onHeldAction('dismissHeld', async ({ hold, userId, moment, respond }, deps) => {
  const dismissed = await dismiss(hold, userId, deps, moment.ts);
  if (dismissed === 0) await tellPerson(respond, nothingWaits(), deps);
});
