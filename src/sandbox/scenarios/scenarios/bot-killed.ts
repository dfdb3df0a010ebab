import type { Scenario } from '../scenario.ts';

export const botKilled: Scenario = {
  name: 'bot-killed',
  title: 'Gumshoe is killed',
  about:
    'Gumshoe is killed in the middle of an alert, another comes meanwhile; after its start both are filed, once.',
  steps: [
    { do: 'break', fault: 'queue_backlog', service: 'order-worker', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'datadog', how: 'fires' },
    { do: 'bot', deed: 'kill' },
    { do: 'wait', seconds: 5 },
    { do: 'alert', tool: 'sentry', how: 'fires' },
    { do: 'wait', seconds: 10 },
    { do: 'bot', deed: 'start' },
  ],
};
