import { fileHeld } from '../../../filing/held.ts';
import { nothingWaits } from '../../../render/notices.ts';
import { tellPerson } from '../../listening/tell.ts';
import { onHeldAction } from './on-held-action.ts';

/** *File all* under held alerts. */
export const fileAll = onHeldAction('fileAll', async ({ hold, userId, moment, respond }, deps) => {
  const { filed, joined } = await fileHeld(hold, 'all', userId, deps, moment.ts);
  if (filed + joined === 0) await tellPerson(respond, nothingWaits(), deps);
});
