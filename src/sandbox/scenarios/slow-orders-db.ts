import type { Scenario } from './scenario.ts';

/** A query of the orders database turns slow; inventory, which waits for it, is what the alert names. */
export const slowOrdersDb: Scenario = {
  minutesBefore: 7,
  fault: { kind: 'slow_query', service: 'orders-db', lastsMinutes: 40 },
  alert: { name: 'HighLatency', service: 'inventory', labels: 'prod shop eu-west-1 warning' },
};
