import type { Scenario } from '../scenario.ts';

export const serviceDown: Scenario = {
  name: 'service-down',
  title: 'The service is down',
  about: 'The investigation service goes away, three alerts wait, and it comes back: all are filed in order.',
  steps: [
    { do: 'break', fault: 'disk_full', service: 'orders-db', minutesBefore: 6 },
    { do: 'wait', seconds: 3 },
    { do: 'service', down: true },
    { do: 'alert', tool: 'zabbix', how: 'fires' },
    { do: 'wait', seconds: 5 },
    { do: 'alert', tool: 'grafana', how: 'fires', service: 'inventory', symptom: 'High latency' },
    { do: 'alert', tool: 'pingdom', how: 'fires', service: 'checkout-api' },
    // After a minute the channel is told.
    { do: 'wait', seconds: 65 },
    { do: 'service', down: false },
  ],
};
