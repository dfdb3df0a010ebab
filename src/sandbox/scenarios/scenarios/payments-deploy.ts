import type { Scenario } from '../scenario.ts';

export const paymentsDeploy: Scenario = {
  name: 'payments-deploy',
  title: 'A bad deploy',
  about: 'A release of payments fails; the alert names checkout-api, which calls it.',
  steps: [
    { do: 'break', fault: 'bad_deploy', service: 'payments', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    {
      do: 'alert',
      tool: 'alertmanager',
      how: 'fires',
      service: 'checkout-api',
      symptom: 'High error rate',
    },
  ],
};
