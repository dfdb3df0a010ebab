import type { Judge } from './difference.ts';

/** All evidence that anything refers to is there. */
export const judgeArtifacts: Judge = ({ artifacts }, { mayBreakOff }) =>
  artifacts
    .filter(({ state }) => state !== 'kept' && mayBreakOff !== true)
    .map(({ owner, id, state }) => ({ what: `the evidence ${id} of ${owner} is ${state}` }));
