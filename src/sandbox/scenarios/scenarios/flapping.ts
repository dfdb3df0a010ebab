import type { Scenario } from '../scenario.ts';

export const flapping: Scenario = {
  name: 'flapping',
  title: 'It fires again and again',
  about: 'One problem fires, fires again, recovers and comes back: one issue, whose card counts.',
  steps: [
    { do: 'break', fault: 'certificate_expiry', service: 'inventory', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'uptime-kuma', how: 'fires' },
    { do: 'wait', seconds: 10 },
    { do: 'alert', tool: 'uptime-kuma', how: 'again' },
    { do: 'wait', seconds: 10 },
    { do: 'alert', tool: 'uptime-kuma', how: 'recovers' },
    { do: 'wait', seconds: 10 },
    { do: 'alert', tool: 'uptime-kuma', how: 'again' },
  ],
};
