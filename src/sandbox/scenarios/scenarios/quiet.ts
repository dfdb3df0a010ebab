import type { Scenario } from '../scenario.ts';

export const quiet: Scenario = {
  name: 'quiet',
  title: 'Nothing',
  about: 'Nothing is played: all of it is left to you.',
  steps: [],
};
