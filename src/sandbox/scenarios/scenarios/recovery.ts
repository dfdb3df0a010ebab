import type { Scenario } from '../scenario.ts';

export const recovery: Scenario = {
  name: 'recovery',
  title: 'It recovers',
  about: 'An alert fires and is investigated; half a minute later it recovers, which its card says.',
  steps: [
    { do: 'break', fault: 'memory_leak', service: 'cart', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'grafana', how: 'fires' },
    { do: 'wait', seconds: 30 },
    { do: 'mend' },
    { do: 'alert', tool: 'grafana', how: 'recovers' },
  ],
};
