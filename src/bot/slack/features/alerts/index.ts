import type { Feature } from '../../listening/feature.ts';
import { attachTo } from './attach-action.ts';
import { attach } from './attach-modal-submission.ts';
import { whyFiled } from './explain-filing-shortcut.ts';
import { fileIt } from './file-action.ts';
import { reactionAdded } from './file-reaction-event.ts';
import { investigateThis as investigateThisSubmission } from './investigate-this-modal-submission.ts';
import { investigateThis } from './investigate-this-shortcut.ts';
import { notSame } from './split-modal-submission.ts';
import { message } from './take-message-event.ts';

/** Messages that may be alerts, filed automatically or at somebody's request. */
export const alerts: Feature = {
  actions: { attachTo, fileIt },
  views: { attach, investigateThis: investigateThisSubmission, notSame },
  events: { message, reaction_added: reactionAdded },
  shortcuts: { investigateThis, whyFiled },
};
