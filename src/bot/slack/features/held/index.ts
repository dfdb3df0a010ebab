import type { Feature } from '../../listening/feature.ts';
import { chooseHeld } from './choose-action.ts';
import { chooseHeld as chooseHeldSubmission } from './choose-modal-submission.ts';
import { dismissHeld } from './dismiss-action.ts';
import { fileAll } from './file-all-action.ts';

/** Alerts held during a storm, over a limit, or during a pause. */
export const held: Feature = {
  actions: { chooseHeld, dismissHeld, fileAll },
  views: { chooseHeld: chooseHeldSubmission },
};
