import type { Feature } from '../../listening/feature.ts';
import { explain } from './explain.ts';
import { fileThis, investigateThis, whyFiled } from './investigate-this.ts';
import { fileIt, message, reactionAdded } from './messages.ts';
import { attach, attachTo, notSame } from './split-and-attach.ts';

/** Messages that may be alerts, filed automatically or at somebody's request. */
export const alerts: Feature = {
  actions: { attachTo, fileIt },
  views: { attach, investigateThis: fileThis, notSame },
  events: { message, reaction_added: reactionAdded },
  shortcuts: { investigateThis, whyFiled },
  subcommands: { explain },
};
