import type { Scenario } from '../scenario.ts';

export const nothingFound: Scenario = {
  name: 'nothing-found',
  title: 'A slow start, and nothing behind it',
  about:
    'A worker was slow when it started, but nothing is wrong: “nothing found” is the result, if nothing was broken for a while.',
  steps: [
    { do: 'mend' },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'grafana', how: 'fires', service: 'search-indexer', symptom: 'Slow start' },
  ],
};
