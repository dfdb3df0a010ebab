import { blank } from '../../src/alerts/blank.ts';
import type { Alert } from '../../src/alerts/types.ts';

/** An alert that says the least: what fires, and its identity. */
export function anAlert(overrides: Partial<Alert> = {}): Alert {
  return {
    ...blank('alertmanager'),
    kind: 'firing',
    title: 'CPU is high',
    fingerprint: 'cpu',
    ...overrides,
  };
}
