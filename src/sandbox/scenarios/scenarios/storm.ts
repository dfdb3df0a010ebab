import type { Scenario } from '../scenario.ts';

export const storm: Scenario = {
  name: 'storm',
  title: 'A storm of alerts',
  about:
    'A hundred alerts in a few seconds: ten become issues, the others are held under one message with buttons.',
  steps: [
    { do: 'break', fault: 'connection_pool', service: 'payments', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'alertmanager', how: 'storm' },
  ],
};
