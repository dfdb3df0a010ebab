import { type Alert, emptyAlert } from '../../src/bot/alerts/types.ts';

/** An alert that says the least: what fires, and its identity. */
export function anAlert(overrides: Partial<Alert> = {}): Alert {
  return {
    ...emptyAlert('alertmanager'),
    kind: 'firing',
    title: 'CPU is high',
    fingerprint: 'cpu',
    ...overrides,
  };
}
