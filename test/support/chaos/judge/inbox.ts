import type { Judge } from './difference.ts';

/** Each delivery was handled. */
export const judgeInbox: Judge = ({ inbox }) =>
  inbox
    .filter(({ state }) => state !== 'done')
    .map(({ key, state, error }) => ({ what: `delivery ${key} is ${state}: ${error}` }));
