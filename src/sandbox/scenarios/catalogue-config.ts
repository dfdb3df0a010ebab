import type { Scenario } from './scenario.ts';

/** A change of the catalogue's configuration breaks a part of its requests. */
export const catalogueConfig: Scenario = {
  minutesBefore: 5,
  fault: { kind: 'config_change', service: 'catalogue', lastsMinutes: 40 },
  alert: { name: 'HighErrorRate', service: 'catalogue', labels: 'prod shop eu-west-1 critical' },
};
