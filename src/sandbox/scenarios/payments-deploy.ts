import type { Scenario } from './scenario.ts';

/** A release of payments fails; checkout, which calls it, is what the alert names. */
export const paymentsDeploy: Scenario = {
  minutesBefore: 6,
  fault: { kind: 'bad_deploy', service: 'payments', lastsMinutes: 40 },
  alert: { name: 'HighErrorRate', service: 'checkout-api', labels: 'prod shop eu-west-1 critical' },
};
