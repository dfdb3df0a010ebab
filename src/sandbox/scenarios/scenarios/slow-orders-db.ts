import type { Scenario } from '../scenario.ts';

export const slowOrdersDb: Scenario = {
  name: 'slow-orders-db',
  title: 'A slow query',
  about: 'A query of the orders database turns slow; the alert names inventory, which waits for it.',
  steps: [
    { do: 'break', fault: 'slow_query', service: 'orders-db', minutesBefore: 7 },
    { do: 'wait', seconds: 3 },
    { do: 'alert', tool: 'alertmanager', how: 'fires', service: 'inventory', symptom: 'High latency' },
  ],
};
