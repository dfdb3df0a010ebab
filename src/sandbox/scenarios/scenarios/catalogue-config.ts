import type { Scenario } from '../scenario.ts';

export const catalogueConfig: Scenario = {
  name: 'catalogue-config',
  title: 'A wrong setting',
  about: 'A change of the configuration of catalogue breaks a part of its requests.',
  steps: [
    { do: 'break', fault: 'config_change', service: 'catalogue', minutesBefore: 5 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'alertmanager', how: 'fires', service: 'catalogue', symptom: 'High error rate' },
  ],
};
